import {
  type Answerer,
  type CraftedEntry,
  craftPack,
  type GitScript,
  line,
  objectId,
  type ScriptedGitServer,
  scriptedGitServer,
  sendPack,
} from '@plat/testing';
import { askInProcess } from './ask-in-process';

/** Objects of a small history: source and target are each one commit above the base. */
const tree = (...entries: [mode: string, name: string, id: string][]) =>
  Buffer.concat(
    entries.map(([mode, name, id]) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
    ),
  );
const commit = (treeId: string, ...parents: string[]) =>
  `tree ${treeId}\n${parents.map((id) => `parent ${id}\n`).join('')}author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\n`;
const blobId = objectId('blob', 'content\n');
const baseTree = tree(['100644', 'file', blobId]);
const sourceTree = tree(['100644', 'file', objectId('blob', 'changed\n')]);
const base = commit(objectId('tree', baseTree));
const baseId = objectId('commit', base);
const source = commit(objectId('tree', sourceTree), baseId);
const target = commit(objectId('tree', tree()), baseId);
const [sourceTip, targetTip] = [objectId('commit', source), objectId('commit', target)];

describe('condition A against a server that sends commits that were not requested', () => {
  it('refuses a commit that the tip does not reach, even if it was sent and descends from the anchor', async () => {
    const objects: CraftedEntry[] = [base, source, target].map((content) => ({ type: 'commit', content }));
    const server = await scriptedGitServer({ tip: targetTip, fetch: sendPack(craftPack(objects)) });
    const asked = { condition: 'queue' as const, address: `${server.origin}/r.git`, targetBranch: 'main' };
    try {
      expect(await askInProcess({ ...asked, commitId: targetTip, anchorCommitId: baseId })).toMatchObject({
        verified: true,
      });
      for (const anchor of [{ anchorCommitId: baseId }, {}]) {
        expect(await askInProcess({ ...asked, commitId: sourceTip, ...anchor })).toMatchObject({
          verified: false,
          reason: 'commit_not_on_target',
        });
      }
    } finally {
      await server.close();
    }
  });
});

describe('condition B against a server that contradicts itself', () => {
  const servers: ScriptedGitServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  async function start(script: GitScript): Promise<ScriptedGitServer> {
    const server = await scriptedGitServer(script);
    servers.push(server);
    return server;
  }

  const tips: Answerer = (response) =>
    response.end(`${line(`${sourceTip} refs/heads/feature\n`)}${line(`${targetTip} refs/heads/main\n`)}0000`);

  /**
   * Asks a server that answers each fetch with the objects that `answer` returns for its first want, or without a pack
   * if `answer` returns undefined.
   */
  async function ask(answer: (wanted: string, body: string) => CraftedEntry[] | undefined) {
    const fetch: Answerer = (response, request, body) => {
      const objects = answer(/want ([0-9a-f]{40})/.exec(body)?.[1] ?? '', body);
      if (objects === undefined) response.end(`${line('acknowledgments\n')}${line('NAK\n')}0000`);
      else sendPack(craftPack(objects))(response, request, body);
    };
    const server = await start({ tips, fetch });
    return askInProcess({
      condition: 'history',
      address: `${server.origin}/r.git`,
      targetBranch: 'main',
      sourceBranch: 'feature',
    });
  }
  const history = (wanted: string): CraftedEntry[] | undefined => {
    if (wanted === sourceTip) return [{ type: 'commit', content: source }];
    if (wanted === targetTip) return [{ type: 'commit', content: target }];
    if (wanted === baseId) return [{ type: 'commit', content: base }];
    return undefined;
  };
  const unreadable = (cause: string) => ({
    verified: false,
    judged: false,
    reason: 'remote_unreadable',
    cause,
  });

  it('judges an honest server', async () => {
    const trees: CraftedEntry[] = [baseTree, sourceTree, tree()].map((content) => ({
      type: 'tree',
      content,
    }));
    expect(await ask((wanted) => history(wanted) ?? trees)).toMatchObject({
      judged: true,
      reason: 'not_landed',
    });
  });

  it('does not trust the claim that the target has all of the source', async () => {
    expect(await ask(() => [])).toMatchObject(unreadable('server contradicts itself'));
    expect(await ask((_, body) => (body.includes('done') ? [] : undefined))).toMatchObject(
      unreadable('server contradicts itself'),
    );
  });

  it('refuses an answer without a pack to a request that is `done`', async () => {
    expect(await ask(() => undefined)).toMatchObject(unreadable('no pack although asked for it'));
    expect(await ask(history)).toMatchObject(unreadable('no pack although asked for it'));
  });

  it('refuses an answer without the merge base or a requested directory', async () => {
    const trees = [baseTree, sourceTree, tree()].map((content): CraftedEntry => ({ type: 'tree', content }));
    expect(await ask((wanted) => (wanted === baseId ? [] : (history(wanted) ?? trees)))).toMatchObject(
      unreadable('object not sent'),
    );
    expect(await ask((wanted) => history(wanted) ?? [])).toMatchObject(unreadable('object not sent'));
    const otherTree: CraftedEntry[] = [{ type: 'tree', content: tree() }];
    expect(await ask((wanted) => history(wanted) ?? otherTree)).toMatchObject(unreadable('object not sent'));
  });

  it('refuses a file in place of a directory', async () => {
    const confused = commit(blobId, baseId);
    const confusedTip = objectId('commit', confused);
    const blob: CraftedEntry = { type: 'blob', content: 'content\n' };
    const fetch: Answerer = (response, request, body) => {
      const wanted = /want ([0-9a-f]{40})/.exec(body)?.[1] ?? '';
      const objects =
        wanted === confusedTip ? [{ type: 'commit' as const, content: confused }] : history(wanted);
      sendPack(craftPack(objects ?? [{ type: 'tree', content: baseTree }, blob]))(response, request, body);
    };
    const server = await start({
      fetch,
      tips: (response) =>
        response.end(
          `${line(`${confusedTip} refs/heads/feature\n`)}${line(`${targetTip} refs/heads/main\n`)}0000`,
        ),
    });
    expect(
      await askInProcess({
        condition: 'history',
        address: `${server.origin}/r.git`,
        targetBranch: 'main',
        sourceBranch: 'feature',
      }),
    ).toMatchObject(unreadable('object not sent'));
  });

  it('reads the whole history if the server sends only the tips of branches', async () => {
    // The landing has the source's content and parent; only its message makes it another commit.
    const landed = `${source}landed`;
    const landedTip = objectId('commit', landed);
    const all: CraftedEntry[] = [
      ...[base, source, landed].map((content): CraftedEntry => ({ type: 'commit', content })),
      ...[baseTree, sourceTree].map((content): CraftedEntry => ({ type: 'tree', content })),
    ];
    const fetch: Answerer = (response, request, body) => {
      const wants = [...body.matchAll(/want ([0-9a-f]{40})/g)].map(([, id]) => id).join();
      if (wants === `${sourceTip},${landedTip}`) {
        sendPack(craftPack(all))(response, request, body);
      } else if (wants === sourceTip) {
        sendPack(craftPack([{ type: 'commit', content: source }]))(response, request, body);
      } else if (wants === landedTip) {
        sendPack(craftPack([{ type: 'commit', content: landed }]))(response, request, body);
      } else {
        response.end(line('ERR upload-pack: not our ref'));
      }
    };
    const server = await start({
      fetch,
      tips: (response) =>
        response.end(
          `${line(`${sourceTip} refs/heads/feature\n`)}${line(`${landedTip} refs/heads/main\n`)}0000`,
        ),
    });
    expect(
      await askInProcess({
        condition: 'history',
        address: `${server.origin}/r.git`,
        targetBranch: 'main',
        sourceBranch: 'feature',
      }),
    ).toMatchObject({ verified: true, landing: { mergeBases: [baseId], carrierCommitId: landedTip } });
  });

  it('accepts no commit older than the merge base as the landing, even if the server sends it', async () => {
    const before = commit(objectId('tree', sourceTree));
    const beforeId = objectId('commit', before);
    const parting = commit(objectId('tree', baseTree), beforeId);
    const partingId = objectId('commit', parting);
    const feature = commit(objectId('tree', sourceTree), partingId);
    const main = commit(objectId('tree', tree()), beforeId, partingId);
    const objects: Record<string, CraftedEntry[]> = {
      [objectId('commit', feature)]: [{ type: 'commit', content: feature }],
      [objectId('commit', main)]: [main, before].map((content) => ({ type: 'commit', content })),
      [partingId]: [{ type: 'commit', content: parting }],
    };
    const trees: CraftedEntry[] = [baseTree, sourceTree, tree()].map((content) => ({
      type: 'tree',
      content,
    }));
    const server = await start({
      fetch: (response, request, body) => {
        const wanted = /want ([0-9a-f]{40})/.exec(body)?.[1] ?? '';
        sendPack(craftPack(objects[wanted] ?? trees))(response, request, body);
      },
      tips: (response) => {
        const rows = [
          `${objectId('commit', feature)} refs/heads/feature\n`,
          `${objectId('commit', main)} refs/heads/main\n`,
        ];
        response.end(`${rows.map(line).join('')}0000`);
      },
    });
    expect(
      await askInProcess({
        condition: 'history',
        address: `${server.origin}/r.git`,
        targetBranch: 'main',
        sourceBranch: 'feature',
      }),
    ).toMatchObject({ verified: false, reason: 'not_landed' });
  });

  it('stops at a directory that contains itself a thousand times', async () => {
    const levels: CraftedEntry[] = [{ type: 'tree', content: baseTree }];
    let below = objectId('tree', baseTree);
    for (let depth = 0; depth < 8; depth += 1) {
      const content = tree(
        ...Array.from({ length: 10 }, (_, index): [string, string, string] => ['40000', `${index}`, below]),
      );
      levels.push({ type: 'tree', content });
      below = objectId('tree', content);
    }
    const bomb = commit(below, baseId);
    const bombTip = objectId('commit', bomb);
    const fetch: Answerer = (response, request, body) => {
      const wanted = /want ([0-9a-f]{40})/.exec(body)?.[1] ?? '';
      const objects = wanted === bombTip ? [{ type: 'commit' as const, content: bomb }] : history(wanted);
      sendPack(craftPack(objects ?? levels))(response, request, body);
    };
    const server = await start({
      fetch,
      tips: (response) =>
        response.end(
          `${line(`${bombTip} refs/heads/feature\n`)}${line(`${targetTip} refs/heads/main\n`)}0000`,
        ),
    });
    expect(
      await askInProcess({
        condition: 'history',
        address: `${server.origin}/r.git`,
        targetBranch: 'main',
        sourceBranch: 'feature',
      }),
    ).toMatchObject({
      judged: false,
      reason: 'remote_too_large',
      cause: 'source branch changes too many paths',
    });
  });
});
