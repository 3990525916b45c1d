import { readFencedBlocks, withoutComment } from './readme-blocks';

describe('the blocks of a page', () => {
  it('are all that are fenced, whatever their language, with the heading above them', () => {
    const page = '# t\n```sh\na   # one\n\n# none\nb\n```\n## Second\ntext\n~~~\nc\n```\nd\n~~~\n';
    expect(readFencedBlocks(page)).toEqual([
      { heading: '', language: 'sh', commands: ['a   # one', 'b'] },
      { heading: 'Second', language: '', commands: ['c', '```', 'd'] },
    ]);
  });

  it('have one command for lines that go on', () => {
    const [block] = readFencedBlocks('```sh\na &&  # first\nb \\\nc\nd | \ne\n```\n');
    expect(block?.commands.map(withoutComment)).toEqual(['a &&\nb \\\nc', 'd |\ne']);
  });

  it('must have an end', () => {
    expect(() => readFencedBlocks('## Open\n```sh\na\n')).toThrow('The block below "Open" has no end.');
  });
});
