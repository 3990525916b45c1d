import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';
import { execFile, peer } from '@plat/testing';

/** Follows the commands of a page, docs/operations.md by default, as they stand there. */
export class PageCommands {
  private constructor(
    private readonly page: string,
    private readonly path: string,
    /** Where the commands are run, outside of the repository. */
    private readonly folder: string,
    private readonly clients: string,
  ) {}

  /** @param clients the program pg_dump of the version of PostgreSQL whose clients the commands find; 15 by default */
  static async in(
    folder: string,
    path = 'docs/operations.md',
    clients = peer('pg_dump'),
  ): Promise<PageCommands> {
    return new PageCommands(
      await readFile(join(workspaceRoot(), path), 'utf8'),
      path,
      folder,
      dirname(clients),
    );
  }

  /** A block of the page, by its language and name, without the indentation of a list. @throws Error if there is none */
  block(language: string, name: string): string {
    const fences = new RegExp(`^( *)\`\`\`${language} ${name}\\n([^]*?)^ *\`\`\`$`, 'm');
    const [, indentation = '', text] = fences.exec(this.page) ?? [];
    if (text === undefined) throw new Error(`${this.path} has no block ${language} ${name}.`);
    return text.replaceAll(new RegExp(`^${indentation}`, 'gm'), '');
  }

  /** A command in the page's text, by its beginning. @throws Error if there is none */
  quote(beginning: string): string {
    const text = this.page.split('`').find((part) => part.startsWith(beginning));
    if (text === undefined) throw new Error(`${this.path} does not quote ${beginning}.`);
    return text;
  }

  /**
   * Runs the commands of a block of the page.
   *
   * @returns what they print
   * @throws Error with their output if one of them fails
   */
  follow(block: string, environment: Record<string, string>): Promise<string> {
    return this.run(this.block('sh', block), environment);
  }

  /**
   * Runs lines in psql, as an operator types them, and answers each question for a password. Without a terminal, psql
   * reads the answers from where its commands are.
   */
  async typeInPsql(
    lines: string,
    session: { environment: Record<string, string>; answers: string[] },
  ): Promise<void> {
    const answers = [...session.answers];
    const typed = lines.replaceAll(/^ *\\password .*$/gm, (line) => {
      const answer = answers.shift()!;
      return [line, answer, answer].join('\n');
    });
    const command = 'setsid --wait psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 <<< "$TYPED"';
    await this.run(command, { ...session.environment, TYPED: typed });
  }

  /** Runs other commands in the same way. */
  async run(commands: string, environment: Record<string, string>): Promise<string> {
    const inFolder = commands.replaceAll(/npm run (\w+)/g, `npm --silent --prefix ${workspaceRoot()} run $1`);
    const PATH = `${this.clients}:${dirname(process.execPath)}:/usr/bin:/bin`;
    const run = promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', inFolder], {
      cwd: this.folder,
      env: { PATH, HOME: this.folder, ...environment },
      maxBuffer: 2 ** 24,
    });
    const { stdout } = await run.catch((error: Error & { stdout: string }) => {
      throw new Error(`${error.message}\n${error.stdout}`, { cause: error });
    });
    return stdout;
  }
}

/** The variables by which PostgreSQL's programs connect. */
export function connectionVariables(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
  };
}
