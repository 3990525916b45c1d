import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { checkConfig } from '@plat/environments/config';
import { workspaceRoot } from '@plat/local';
import { readGuide } from './guide';

const guide = readGuide();
const read = (path: string) => readFileSync(join(workspaceRoot(), path), 'utf8');
const variables = read('deploy/edge/exposure/variables.tf');
const contract = read('docs/contract/client-environments.md') + read('docs/contract/rules-environments.md');

describe('the guide to exposure', () => {
  it("shows a project's file without a fault, with each key of the platform block. Rule H3", () => {
    expect(checkConfig('project', parse(guide.project))).toMatchObject({ faults: [] });
    const { platform } = parse(guide.project) as { platform: Record<string, string> };
    expect(Object.keys(platform).sort()).toEqual([
      'basedomain',
      'dnsconfigdir',
      'env',
      'ingressclassname',
      'serviceszone',
    ]);
    expect(platform.serviceszone).toBe(`services.${platform.basedomain}`);
  });

  it('sets each setting of the edge that has no default, and no other', () => {
    const blocks = [...variables.matchAll(/^variable "(\w+)" \{\n([\s\S]*?)^\}/gm)];
    const required = blocks.filter(([, , body = '']) => !/^ {2}default/m.test(body)).map(([, name]) => name);
    const set = [...guide.settings.matchAll(/^(\w+) +=/gm)].map(([, name]) => name);
    expect(set.sort()).toEqual(required.sort());
  });

  it.each(['hsts_max_age_seconds', 'hsts_include_subdomains', 'hsts_preload'])(
    'shows the default of %s. Spec: Client, TLS rules, rule 5',
    (name) => {
      const shown = new RegExp(String.raw`^\| \`${name}\` \| (\w+) \|`, 'm').exec(guide.text)?.[1];
      const block = new RegExp(String.raw`^variable "${name}" \{\n([\s\S]*?)^\}`, 'm').exec(variables)?.[1];
      expect(shown).toBe(/^ {2}default += (\w+)$/m.exec(block ?? '')?.[1]);
    },
  );

  it('types flags that the contract has', () => {
    const typed = [...guide.platLines.join('\n').matchAll(/--[a-z0-9-]+/g)].map(([flag]) => flag);
    expect(typed.length).toBeGreaterThan(10);
    const unknown = typed.filter((flag) => flag !== '--json' && !contract.includes(`\`${flag}\``));
    expect(unknown).toEqual([]);
  });

  it('names flags of plat expose that it has', () => {
    const [, own = ''] = /^## plat expose[^\n]*\n([\s\S]*?)^## /m.exec(read('docs/cli.md')) ?? [];
    const named = new Set(guide.text.match(/(?<=`|^plat expose .*)--[a-z0-9-]+/gm));
    expect(own).toContain('--ip');
    expect([...named].filter((flag) => !own.includes(flag))).toEqual([]);
    expect(named).toContain('--no-wait');
  });

  it('types expose and unexpose with all their positionals', () => {
    const lines = guide.platLines.filter((line) => /^plat (un)?expose /.test(line) && !line.includes('…'));
    const wrong = lines.filter(
      (line) => !/^plat (?:expose acme dev \w+|unexpose acme dev)(?: --|$)/.test(line),
    );
    expect({ count: lines.length > 5, wrong }).toEqual({ count: true, wrong: [] });
  });

  it('types --ip with each expose, and the three DNS-01 flags together', () => {
    for (const line of guide.platLines.filter((each) => /^plat expose acme/.test(each))) {
      expect(line).toContain(' --ip 203.0.113.7');
      const given = ['--dns01-token-file', '--dns01-broker-url', '--acme-email'].filter((flag) =>
        line.includes(flag),
      );
      expect([0, 3]).toContain(given.length);
    }
  });

  it('is linked where a newcomer looks', () => {
    expect(read('README.md')).toContain('(docs/exposure.md)');
    expect(read('deploy/README.md')).toContain('(../docs/exposure.md)');
    expect(read('deploy/patterns/README.md')).toContain('(../../docs/exposure.md)');
  });
});
