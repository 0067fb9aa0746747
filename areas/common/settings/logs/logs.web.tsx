import { SEEDED_ROLES } from '#access/roles.contract.ts'
import { Status, Code } from '#kit/web/feedback/index.ts'
import { label, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { screenAt, to } from '#kit/web/router/index.ts'
import { SECURITY_KINDS, logCalls, securityFields } from './logs.contract.ts'
import type { SecurityEntryRow } from './logs.contract.ts'
import css from './logs.module.css'

type Entry = SecurityEntryRow & { readonly [key: string]: unknown }

/** Texts of details whose values are words of the program. */
const WORDS = {
  wrong: 'log_wrong',
  entry: 'log_entry',
  blocked: 'log_blocked',
  slowed: 'log_slowed',
  password: 'log_by_password',
  link: 'log_by_link',
} as const

/** Roles that the program brings, by the key that the log keeps. */
const ROLES = new Map(SEEDED_ROLES.map(({ key, name: [name, name_local] }) => [key as string, { name, name_local }]))

function Details({ row }: { row: SecurityEntryRow }) {
  const t = useT('settings')
  const { data } = row
  const said: React.ReactNode[] = []
  for (const key of ['reason', 'by'] as const) {
    const word = WORDS[data[key] as keyof typeof WORDS]
    if (word) said.push(t(word))
    else if (typeof data[key] === 'string') said.push(<bdi>{data[key]}</bdi>)
  }
  if (data.change) said.push(t('log_changes'))
  if (data.new_browser) said.push(t('log_new_browser'))
  if (typeof data.rows === 'number') said.push(t('log_rows', { count: data.rows }))
  if (typeof data.count === 'number') said.push(t('log_sessions', { count: data.count }))
  for (const key of ['name', 'role', 'permission', 'call'] as const) {
    const role = key === 'role' ? ROLES.get(String(data[key])) : undefined
    if (role) said.push(<bdi>{nameOf(role)}</bdi>)
    else if (typeof data[key] === 'string') said.push(<Code>{data[key]}</Code>)
  }
  const asked = data.asked as { search?: string; filters?: Record<string, unknown> } | undefined
  if (asked?.search) said.push(<bdi>“{asked.search}”</bdi>)
  if (asked?.filters && Object.keys(asked.filters).length) said.push(<Code>{JSON.stringify(asked.filters)}</Code>)
  return (
    <span className={css.details}>
      {said.map((one, i) => (
        <span key={i}>{one}</span>
      ))}
    </span>
  )
}

/** Who came in, who tried, who took data out, who read whose record, whose rights changed. */
export default function SecurityLog() {
  const t = useT('settings')
  const lang = useLanguage()
  const person = (who: Named | null | undefined) =>
    who ? <bdi title={nameOf(who, lang)}>{nameOf(who, lang)}</bdi> : null
  const hrefOf = ({ record }: SecurityEntryRow): string | null => {
    if (record?.type === 'student' && screenAt('/students/:id')) return to('/students/:id', { id: record.id })
    if (record?.type === 'instructor' && screenAt('/instructors/:id')) return to('/instructors/:id', { id: record.id })
    if (record?.type === 'employee' && screenAt('/employees/:id')) return to('/employees/:id', { id: record.id })
    if (record?.type === 'user' && screenAt('/users/:id')) return to('/users/:id', { id: record.id })
    return null
  }
  return (
    <ListScreen<Entry>
      call={logCalls.securityLog as never}
      title={['Security log', 'سجل الأمان']}
      order={['at', 'desc']}
      perPage={50}
      filters={securityFields}
      rowName={(row) => label(SECURITY_KINDS.find((k) => k.value === row.kind)?.label ?? [row.kind, row.kind], lang)}
      rowHref={hrefOf}
      columns={[
        { key: 'at', label: securityFields.at.label, field: securityFields.at, sort: true, width: 170 },
        {
          key: 'kind',
          label: securityFields.kind.label,
          width: 210,
          cell: ({ kind }) => {
            const known = SECURITY_KINDS.find((k) => k.value === kind)
            return known ? <Status tone={known.tone} label={label(known.label, lang)} /> : <Code>{kind}</Code>
          },
        },
        {
          key: 'actor',
          label: ['Who', 'من'],
          width: 210,
          cell: (row) =>
            row.impersonator ? (
              <span>
                {person(row.impersonator)}{' '}
                <span className={css.as}>{t('log_as', { name: nameOf(row.actor, lang) })}</span>
              </span>
            ) : (
              person(row.actor)
            ),
        },
        {
          key: 'subject',
          label: ['Whose account or record', 'الحساب أو السجل المعني'],
          width: 210,
          cell: (row) =>
            row.subject ? (
              person(row.subject)
            ) : row.account ? (
              <span>
                {t('log_unknown_account')} <Code>{row.account}</Code>
              </span>
            ) : null,
        },
        { key: 'details', label: ['Details', 'التفاصيل'], width: 340, cell: (row) => <Details row={row} /> },
        {
          key: 'ip',
          label: securityFields.ip.label,
          width: 140,
          cell: ({ ip }) => (ip ? <Code>{ip}</Code> : null),
        },
        {
          key: 'user_agent',
          label: ['Browser', 'المتصفح'],
          width: 260,
          hidden: true,
          cell: ({ user_agent }) => <bdi dir="ltr">{user_agent}</bdi>,
        },
      ]}
      empty={{ title: t('log_empty'), text: t('log_empty_text') }}
    />
  )
}
