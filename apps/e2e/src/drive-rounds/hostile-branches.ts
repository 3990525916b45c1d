import { type MadeFiles, UNUSABLE_FILES } from '@plat/testing';

/** Far more than the client reads of a project's file. */
const MEGABYTES = 1024 * 1024;
const LARGE_CONFIG = `# ${'x'.repeat(6 * MEGABYTES)}\ngate: {command: "true"}\n`;
/** Makes `plat build` look for a Dockerfile, if the repository has this script. */
const NO_SCRIPT = { 'build.sh': undefined };

/**
 * Files with which a branch may try to stop the queue. git holds no pipes and no devices, but links to them. Whether a
 * merge with them lands or fails depends on the gate; no drive may hang, and no review may keep the slot.
 */
export const HOSTILE_FILES: Readonly<Record<string, MadeFiles>> = {
  ...UNUSABLE_FILES,
  'names that differ in case alone': { 'readme.MD': 'x\n', 'Part.txt': 'a\n', 'part.TXT': 'b\n' },
  'a reserved name': { 'aux.txt': 'x\n', con: 'x\n' },
  'VERSION as a folder': { VERSION: undefined, 'VERSION/x': 'x\n' },
  'VERSION as a link to itself': { VERSION: { to: 'VERSION' } },
  'VERSION as a link to an endless device': { VERSION: { to: '/dev/zero' } },
  'VERSION as a link to a terminal': { VERSION: { to: '/dev/tty' } },
  'VERSION of many megabytes': { VERSION: '1'.repeat(6 * MEGABYTES) },
  'a Dockerfile as a link to itself': { ...NO_SCRIPT, Dockerfile: { to: 'Dockerfile' } },
  'a Dockerfile as a link to an endless device': { ...NO_SCRIPT, Dockerfile: { to: '/dev/zero' } },
  'a Dockerfile as a link to another file': { ...NO_SCRIPT, Dockerfile: { to: 'README.md' } },
  'a Dockerfile as a folder': { ...NO_SCRIPT, 'Dockerfile/x': 'x\n' },
  'nothing to build': NO_SCRIPT,
  'build.sh as a link to an endless device': { 'build.sh': { to: '/dev/zero' } },
  'a project file of many megabytes': { '.plat/config.yaml': LARGE_CONFIG },
  'a project file as a link to an endless device': { '.plat/config.yaml': { to: '/dev/zero' } },
  'a project file that is none': { '.plat/config.yaml': 'gate: [\n' },
  'a project folder as a file': { '.plat/config.yaml': undefined, '.plat': 'x\n' },
  'merge=union for a file that others change': {
    '.gitattributes': '* merge=union\n',
    'README.md': 'union\n',
  },
  'a merge driver that no one has': { '.gitattributes': '* merge=nobody\n', 'README.md': 'driver\n' },
  'a filter that fails': { '.gitattributes': '*.bin filter=bad\n', 'x.bin': 'x\n' },
  'attributes that change line ends': { '.gitattributes': '* text eol=crlf\n', 'x.txt': 'a\r\nb\r\n' },
  'an empty submodule list': { '.gitmodules': { to: '/dev/zero' } },
};
