import { f } from '#kit/contract/index.ts'
import { useCall } from '#kit/web/api/index.ts'
import { formatDate, formatInstant, useEveryLabel, useT } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { ToldLine } from '#kit/web/told/told.tsx'
import { auditTrailCalls, auditTrailFields, logAddress } from './audit.contract.ts'
import type { AuditRow } from './audit.contract.ts'

type Entry = AuditRow & { readonly [key: string]: unknown }

/** Values of a line that stand open; more are shown when they are asked for. */
const FEW = 4

function Line({ row }: { row: AuditRow }) {
  const t = useT('kit-screens')
  const { record, actor, impersonator } = row
  return (
    <ToldLine
      entry={{
        action: row.action,
        record_id: row.record_id,
        who: impersonator ?? actor,
        as: impersonator && actor,
        record,
        changes: row.changes,
      }}
      href={row.record_id === null ? null : logAddress(row.table_name, row.record_id)}
      reason={row.reason}
      withheld={row.withheld}
      open={row.action === 'update' && row.changes.length <= FEW}
      meta={
        <>
          <time dateTime={row.at}>{formatInstant(row.at)}</time>
          {row.ip && (
            <>
              {' · '}
              {t('told_from')} <bdi dir="ltr">{row.ip}</bdi>
            </>
          )}
        </>
      }
    />
  )
}

/** Who changed what: of every record that is kept, the newest first, a sentence each. */
export default function AuditLog() {
  const t = useT('settings')
  const say = useEveryLabel()
  const tables = useCall(auditTrailCalls.auditTables).data?.data ?? []
  const kinds = tables
    .flatMap(({ table_name, table }) =>
      table ? [{ value: table_name, label: [table.name, table.name_local] as const }] : [],
    )
    .toSorted((a, b) => say(a.label).localeCompare(say(b.label)))
  const filters = {
    ...auditTrailFields,
    ...(kinds.length && { table_name: f.choice(auditTrailFields.table_name.label, kinds) }),
  }
  return (
    <ListScreen<Entry>
      call={auditTrailCalls.audit as never}
      title={['Log of changes', 'سجل التغييرات']}
      subtitle={t('log_pages_ahead')}
      order={['at', 'desc']}
      perPage={50}
      filters={filters}
      columns={[]}
      line={(row) => <Line row={row} />}
      lineHeading={(row) => formatDate(row.at, 'weekday')}
      exports={{ xlsx: auditTrailCalls.exportAudit }}
      empty={{ title: t('log_empty'), text: t('log_empty_text') }}
    />
  )
}
