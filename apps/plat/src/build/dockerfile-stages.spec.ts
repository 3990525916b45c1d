import { stageNames } from './dockerfile-stages';

describe('the stages of a Dockerfile', () => {
  it.each([
    [
      'by their names, in order',
      'FROM a AS build\nRUN x\nFROM build AS test\nFROM build\n',
      ['build', 'test'],
    ],
    ['in any case of letters', 'from a as Test\n', ['test']],
    ['with a platform', 'FROM --platform=$BUILDPLATFORM golang:1 AS test\n', ['test']],
    ['over several lines', 'FROM a \\\n  # why\n  AS test\r\n', ['test']],
    ['but not in a comment', '# FROM a AS test\nFROM a\n', []],
    ['but not in a heredoc', 'FROM a\nRUN <<EOF\nFROM a AS test\nEOF\nFROM a AS late\n', ['late']],
    ['but not in an instruction', 'FROM a\nRUN echo FROM a AS test\n', []],
    ['of an empty file', '', []],
  ])('are found %s', (_what, dockerfile, names) => {
    expect(stageNames(dockerfile)).toEqual(names);
  });
});
