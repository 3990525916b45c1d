import { stageNames } from './dockerfile-stages';

/** A Dockerfile whose stage `test` comes after the lines. */
const before = (...lines: string[]) =>
  ['FROM a AS base', ...lines, 'FROM base AS test', 'RUN true', ''].join('\n');

describe('the stages of a Dockerfile', () => {
  it.each([
    [
      'by their names, in order',
      'FROM a AS build\nRUN x\nFROM build AS test\nFROM build\n',
      ['build', 'test'],
    ],
    ['in any case of letters', 'from a as Test\n', ['test']],
    ['with a platform', 'FROM --platform=$BUILDPLATFORM golang:1 AS test\n', ['test']],
    ['over several lines', 'FROM a \\\n  # why\n\n  AS test\r\n', ['test']],
    ['after a byte order mark', '\uFEFFFROM a AS test\n', ['test']],
    ['but not in a comment', '# FROM a AS test\nFROM a\n', []],
    ['but not in an instruction', 'FROM a\nRUN echo FROM a AS test\n', []],
    ['but not in a continued line', 'FROM a\nRUN echo \\\nFROM a AS test\n', []],
    ['behind an ONBUILD', 'FROM a\nONBUILD RUN <<EOF\nFROM a AS no\nEOF\nFROM a AS test\n', ['test']],
  ])('are found %s', (_how, dockerfile, names) => {
    expect(stageNames(dockerfile)).toEqual(names);
  });

  it.each([
    ['an arithmetic shift', 'RUN N=4; echo $((1<<N))'],
    ['a here-string', 'RUN cat <<<hello'],
    ['a here-string in a JSON array', 'RUN ["bash", "-c", "wc -c <<<hello <<EOF"]'],
    ['a shift in quotes', 'RUN python3 -c "n=3; print(1 << n)"'],
    ['a heredoc in double quotes', 'RUN sh -c "cat <<EOF"'],
    ['a heredoc in single quotes', "RUN sh -c 'cat <<EOF'"],
    ['a word that only ends like one', 'RUN cat x<<EOF'],
    ['an operator without a word', 'RUN cat << EOF'],
    ['a quote that is not closed', "RUN echo it's <<EOF"],
    ['a heredoc of an instruction that takes none', 'ENV A=1 B=<<EOF'],
  ])('are not hidden by %s', (_what, line) => {
    expect(stageNames(before(line))).toEqual(['base', 'test']);
  });

  it.each([
    ['of RUN', ['RUN <<EOF', 'FROM x AS no', 'EOF']],
    ['of COPY, whose delimiter has a hyphen', ['COPY <<END-1 /x', 'FROM x AS no', 'END-1']],
    ['with a quoted delimiter', ['RUN <<"EOF A" cat', 'FROM x AS no', 'EOF A']],
    ['with a partly quoted delimiter', ["RUN <<E'O'F", 'FROM x AS no', 'EOF']],
    ['with tabs before its end', ['RUN <<-EOF', '\tFROM x AS no', '\tEOF']],
    ['for a file descriptor', ['RUN 3<<EOF cat', 'FROM x AS no', 'EOF']],
    ['after another one', ['RUN <<A <<B', 'A', 'FROM x AS no', 'B']],
    ['in a continued line', ['RUN true && \\', '# why', 'cat <<EOF', 'FROM x AS no', 'EOF']],
    ['with what looks like another end', ['RUN <<EOF', 'EOF ', ' EOF', 'FROM x AS no', 'EOF']],
  ])('are not found in a heredoc %s', (_how, lines) => {
    expect(stageNames(before(...lines))).toEqual(['base', 'test']);
  });

  it.each([
    ['continued lines', '# escape=`\nFROM a `\n  AS base\nFROM base `\n  AS test\n'],
    [
      'lines that end in a backslash',
      '# syntax=docker/dockerfile:1\n# escape=`\nFROM a AS base\nWORKDIR C:\\\nFROM base AS test\n',
    ],
  ])('are found by the escape directive, in %s', (_where, dockerfile) => {
    expect(stageNames(dockerfile)).toEqual(['base', 'test']);
  });

  it('do not depend on an escape directive below another comment', () => {
    expect(stageNames('# why\n# escape=`\nFROM a AS base\nRUN x \\\n AS no\nFROM base AS test\n')).toEqual([
      'base',
      'test',
    ]);
  });

  it('do not go on after an escaped backslash', () => {
    expect(stageNames(before('RUN echo C:\\\\'))).toEqual(['base', 'test']);
  });

  it.each([
    ['without a stage', 'ARG A\n', 'it has no FROM'],
    ['of nothing', '', 'it has no FROM'],
    [
      'with a heredoc that has no end',
      'FROM a\nRUN <<EOF\nFROM a AS test\n',
      'line 2: the heredoc EOF has no end',
    ],
    [
      'with an unknown instruction',
      'FROM a\nINCLUDE other\n',
      'line 2: INCLUDE is no instruction of a Dockerfile',
    ],
    ['with words after a stage', 'FROM a AS test # why\n', 'line 1: FROM a AS test # why is neither'],
    ['with a stage of an invalid name', 'FROM a AS 1test\n', 'line 1: FROM a AS 1test is neither'],
    ['with an unknown escape character', '# escape=^\nFROM a\n', 'the escape directive names ^'],
    [
      'with a directive that stands there twice',
      '# escape=`\n# escape=`\nFROM a\n',
      'line 2: the directive escape',
    ],
    ['with two test stages', 'FROM a AS test\nFROM a AS Test\n', 'two stages are named test'],
  ])('cannot be read in a file %s', (_what, dockerfile, reason) => {
    expect(() => stageNames(dockerfile)).toThrow(reason);
  });
});
