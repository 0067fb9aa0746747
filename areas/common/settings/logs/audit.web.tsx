import { f } from '#kit/contract/index.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Code, Status } from '#kit/web/feedback/index.ts'
import { label, nameOf, useEveryLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { AUDIT_ACTIONS, auditTrailCalls, auditTrailFields, logAddress } from './audit.contract.ts'
import type { AuditRow } from './audit.contract.ts'
import css from './logs.module.css'

type Entry = AuditRow & { readonly [key: string]: unknown }

/** Fields of a change that are told in the list; the rest stands in the log of the record. */
const FIRST = 3
const sidesOf = ({ old_value, new_value }: AuditRow) => {
  const [old, fresh] = [old_value, new_value].map((text) =>
    text ? (JSON.parse(text) as Record<string, unknown>) : {},
  ) as [Record<string, unknown>, Record<string, unknown>]
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])].map((field) => ({
    field,
    old: old[field],
    new: fresh[field],
  }))
}
const text = (value: unknown): string =>
  value === undefined || value === null ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value)

function Changes({ row, called }: { row: AuditRow; called: (field: string) => string | null }) {
  const t = useT('settings')
  const changes = sidesOf(row)
  return (
    <span className={css.details}>
      {changes.slice(0, FIRST).map((change) => (
        <span key={change.field}>
          {called(change.field) ?? <Code>{change.field}</Code>}:{' '}
          {row.action === 'update' && (
            <>
              <bdi>{text(change.old)}</bdi> {'→'}{' '}
            </>
          )}
          <bdi>{text(row.action === 'delete' ? change.old : change.new)}</bdi>
        </span>
      ))}
      {changes.length > FIRST && <span>{t('log_more_fields', { count: changes.length - FIRST })}</span>}
      {row.withheld > 0 && <span>{t('log_withheld', { count: row.withheld })}</span>}
    </span>
  )
}

/** Who changed what: of every record that is kept, the newest first. */
export default function AuditLog() {
  const t = useT('settings')
  const lang = useLanguage()
  const say = useEveryLabel()
  const known = useCall(auditTrailCalls.auditTables).data
  const tables = known?.data ?? []
  const called = (field: string) => {
    const found = known?.meta.labels[field.replace(/_id$/, '')]
    return found ? say([found.name, found.name_local]) : null
  }
  const nameOfTable = ({ table, table_name }: Pick<AuditRow, 'table' | 'table_name'>) =>
    table ? say([table.name, table.name_local]) : table_name
  const filters = {
    ...auditTrailFields,
    ...(tables.length && {
      table_name: f.choice(
        auditTrailFields.table_name.label,
        tables.map(({ table_name, table }) => ({
          value: table_name,
          label: table ? ([table.name, table.name_local] as const) : ([table_name, table_name] as const),
        })) as never,
      ),
    }),
  }
  const person = (who: Named | null) => (who ? <bdi title={nameOf(who, lang)}>{nameOf(who, lang)}</bdi> : null)
  return (
    <ListScreen<Entry>
      call={auditTrailCalls.audit as never}
      title={['Log of changes', 'سجل التغييرات']}
      subtitle={t('log_pages_ahead')}
      order={['at', 'desc']}
      perPage={50}
      filters={filters}
      rowName={(row) => `${nameOfTable(row)} ${row.record_id ?? ''}`}
      rowHref={(row) => (row.record_id === null ? null : logAddress(row.table_name, row.record_id))}
      exports={{ xlsx: auditTrailCalls.exportAudit }}
      columns={[
        { key: 'at', label: auditTrailFields.at.label, field: auditTrailFields.at, sort: true, width: 170 },
        {
          key: 'actor',
          label: auditTrailFields.actor_id.label,
          width: 200,
          cell: (row) =>
            row.impersonator ? (
              <span>
                {person(row.impersonator)}{' '}
                <span className={css.as}>{t('log_as', { name: nameOf(row.actor, lang) })}</span>
              </span>
            ) : (
              (person(row.actor) ?? t('log_system'))
            ),
        },
        {
          key: 'action',
          label: auditTrailFields.action.label,
          width: 120,
          cell: ({ action }) => {
            const known = AUDIT_ACTIONS.find(({ value }) => value === action)
            return known ? <Status tone={known.tone} label={label(known.label, lang)} /> : <Code>{action}</Code>
          },
        },
        {
          key: 'table_name',
          label: ['Record', 'السجل'],
          width: 190,
          cell: (row) => (
            <span>
              <bdi>{nameOfTable(row)}</bdi> {row.record_id !== null && <Code>{row.record_id}</Code>}
            </span>
          ),
        },
        {
          key: 'changes',
          label: ['What changed', 'ما تغيّر'],
          width: 380,
          cell: (row) => <Changes row={row} called={called} />,
        },
        { key: 'reason', label: ['Reason', 'السبب'], width: 200, cell: ({ reason }) => reason && <bdi>{reason}</bdi> },
        {
          key: 'ip',
          label: auditTrailFields.ip.label,
          width: 140,
          cell: ({ ip }) => (ip ? <Code>{ip}</Code> : null),
        },
        {
          key: 'request_id',
          label: auditTrailFields.request_id.label,
          width: 260,
          hidden: true,
          cell: ({ request_id }) => (request_id ? <Code>{request_id}</Code> : null),
        },
      ]}
      empty={{ title: t('log_empty'), text: t('log_empty_text') }}
    />
  )
}
