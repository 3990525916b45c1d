import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { filesOf } from '../check/references/repository.mjs';
import { specOf } from './spec-comment.mjs';

describe('the first comment of a spec', () => {
  const read = (comment: string) => specOf('x.peers.spec.ts', `${comment}\nimport 'y'; // @paths not/here`);

  it('names its peers, without which the file is refused', () => {
    expect(read('/** @peers powerdns knot */')).toMatchObject({
      file: 'x.peers.spec.ts',
      peers: ['powerdns', 'knot'],
      paths: [],
    });
    expect(() => read('/** no peers */')).toThrow('x.peers.spec.ts does not name its peers');
  });

  it('names what the result rests on, to which the file and the modules of its peers are added', () => {
    const { paths, recipe } = read('/**\n * @peers kubectl nginx\n * @paths a b/c\n * @paths d\n */');
    expect(paths).toEqual(['a', 'b/c', 'd', 'x.peers.spec.ts', 'tools/peers/kubectl']);
    expect(recipe).toContain('k8s.io/kubernetes/cmd/kubectl');
  });

  it('lets no file be left out that names no paths', () => {
    expect(read('/** @peers kubectl */').paths).toEqual([]);
  });

  it('of each spec in the repository names paths that there are', () => {
    const files = filesOf(workspaceRoot()).filter((file) => file.endsWith('.peers.spec.ts'));
    expect(files.length).toBeGreaterThan(20);
    const specs = files.map((file) => specOf(file, readFileSync(join(workspaceRoot(), file), 'utf8')));
    const missing = specs
      .flatMap(({ paths }) => paths)
      .filter((path) => !existsSync(join(workspaceRoot(), path)));
    expect(missing).toEqual([]);
    expect(specs.filter(({ paths }) => paths.length > 0).length).toBeGreaterThan(10);
  });
});
