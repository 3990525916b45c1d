export { consoleHeaders, openConsoleFiles } from './console-files';
