import { useApp } from '../app-context';
import { NeverUsed, NothingThere } from '../parts/empty';
import { FilterForm } from '../parts/filter-form';
import { More, useLaterPages } from '../parts/later-pages';
import { Page } from '../parts/page';
import { printable } from '../parts/printable';
import { Table } from '../parts/rows';
import { Shown } from '../parts/shown';
import { exactText } from '../parts/spans';
import { Name } from '../parts/text';
import { useReads } from '../parts/use-reads';
import { address } from '../reads/api-reader';
import type { AuditEvent, AuditEventPage } from '../reads/shapes';

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
const PAGE_SIZE = '100';

type AuditQuery = Readonly<Record<string, string>>;

/**
 * Every authorized request, newest first. Reading the trail adds rows to it, so the page reads it only when the person
 * asks.
 */
export function AuditPage({ query }: { query: AuditQuery }) {
  const reads = useReads((reader) => ({
    load: (signal) => reader.get<AuditEventPage>(pageAddress(query), signal),
    repeats: false,
  }));
  const isNarrowed = Object.keys(query).length > 0;
  return (
    <Page title="Audit">
      <FilterForm
        place="audit"
        fields={[
          { key: 'apiMethod', label: 'Method', value: query.apiMethod, options: METHODS },
          { key: 'apiPath', label: 'Route', value: query.apiPath },
          { key: 'erunUserId', label: 'User id', value: query.erunUserId },
          { key: 'since', label: 'Since (RFC 3339)', value: query.since },
          { key: 'until', label: 'Until (RFC 3339)', value: query.until },
        ]}
      />
      <Shown reads={reads}>
        {(first) => (
          <>
            {first.events.length === 0 && isNarrowed && (
              <NothingThere>No request was like that.</NothingThere>
            )}
            {first.events.length === 0 && !isNarrowed && (
              <NeverUsed commands={['plat api GET /v1/whoami']}>
                No request was ever authorized. This one is a row:
              </NeverUsed>
            )}
            <AuditTable first={first} query={query} />
          </>
        )}
      </Shown>
    </Page>
  );
}

const pageAddress = (query: AuditQuery, cursor?: string): string =>
  address('/v1/audit-events', { ...query, limit: PAGE_SIZE, cursor });

function AuditTable({ first, query }: { first: AuditEventPage; query: AuditQuery }) {
  const { rows, more, fault } = useLaterPages<AuditEvent>(
    { rows: first.events, nextCursor: first.nextCursor },
    ({ auditEventId }) => auditEventId,
    async (reader, cursor) => {
      const page = await reader.get<AuditEventPage>(pageAddress(query, cursor), new AbortController().signal);
      return { rows: page.events, nextCursor: page.nextCursor };
    },
  );
  return (
    <>
      <Table caption="Requests" columns={['When', 'Who', 'Request', 'Subject']} of={rows}>
        {(event) => <AuditRow key={event.auditEventId} event={event} />}
      </Table>
      <More more={more} fault={fault} />
    </>
  );
}

function AuditRow({ event }: { event: AuditEvent }) {
  const { usernameOf } = useApp();
  return (
    <tr>
      <td>
        <time dateTime={event.createdAt}>{exactText(event.createdAt)}</time>
      </td>
      <td>
        <Name text={usernameOf(event.erunUserId) ?? event.erunUserId} />
      </td>
      <td>
        <code>
          {printable(
            event.type === 'API'
              ? `${event.apiMethod} ${event.apiPath}`
              : `${event.type} ${event.mcpTool ?? event.cliCommand}`,
          )}
        </code>
      </td>
      <td>
        <Name text={event.externalUserId} />
      </td>
    </tr>
  );
}
