import { Chart } from '#kit/web/charts/chart.tsx'
import { Status } from '#kit/web/feedback/index.ts'
import { formatInstant, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Table } from '#kit/web/table/table.tsx'
import type { ReactNode } from 'react'
import { LOGBOOK_ROLE_WORDS, logbookFlow, type Logbook, type LogbookEntryShown } from './entry.contract.ts'
import { countedOf, LOGBOOK_ROLES, totalOf } from './entry.rules.ts'
import css from '../logbook.module.css'

/** How many are confirmed and missing of what each course wants. */
export function LogbookProgress({ courses }: { courses: Logbook['courses'] }) {
  const t = useT('logbook')
  const lang = useLanguage()
  const data = courses.map((course) => {
    const totals = course.types.map(totalOf)
    const wanted = totals.reduce((sum, one) => sum + one.wanted, 0)
    const counted = totals.reduce((sum, one) => sum + one.counted, 0)
    return { name: nameOf(course, lang), confirmed: counted, missing: wanted - counted }
  })
  return (
    <Chart
      kind="bar"
      horizontal
      stacked
      title={t('progress')}
      text={t('progress_text')}
      height={Math.max(120, 44 * data.length + 40)}
      data={data}
      series={[
        { key: 'confirmed', label: ['Confirmed', 'معتمدة'], tone: 'done' },
        { key: 'missing', label: ['Missing', 'ناقصة'], tone: 'waiting' },
      ]}
    />
  )
}

/** Each procedure and case with what counts of it. */
export function LogbookWanted({ courses }: { courses: Logbook['courses'] }) {
  const t = useT('logbook')
  const say = useLabel()
  const lang = useLanguage()
  const rows = courses.flatMap((course) => course.types.map((type) => ({ course, type, counted: countedOf(type) })))
  return (
    <Table
      label={t('wanted')}
      rows={rows}
      rowKey={({ type }) => type.id}
      columns={[
        { key: 'type', label: t('what'), head: true, cell: ({ type }) => <bdi>{nameOf(type, lang)}</bdi> },
        { key: 'course', label: t('course'), cell: ({ course }) => <bdi>{nameOf(course, lang)}</bdi> },
        ...LOGBOOK_ROLES.map((role) => ({
          key: role,
          label: say(LOGBOOK_ROLE_WORDS.find(({ value }) => value === role)!.label),
          figure: true,
          cell: ({ type, counted }: (typeof rows)[number]) =>
            type.wanted[role]
              ? t('of', { count: formatNumber(counted[role]), all: formatNumber(type.wanted[role]) })
              : '–',
        })),
      ]}
    />
  )
}

/** Entries, newest first, as a list that a phone shows whole. */
export function Entries({
  of,
  buttons,
}: {
  of: Pick<Logbook, 'entries' | 'courses' | 'rotations'>
  buttons?: (entry: LogbookEntryShown) => ReactNode
}) {
  const say = useLabel()
  const lang = useLanguage()
  const types = new Map(of.courses.flatMap(({ types: own }) => own.map((type) => [type.id, type])))
  const rotations = new Map(of.rotations.map((one) => [one.id, one]))
  return (
    <ul className={css.entries}>
      {of.entries.map((entry) => {
        const state = logbookFlow.states.find(({ value }) => value === entry.status)
        const role = LOGBOOK_ROLE_WORDS.find(({ value }) => value === entry.role)
        return (
          <li key={entry.uuid}>
            <div className={css.line}>
              <strong>
                <bdi>{nameOf(types.get(entry.type_id), lang)}</bdi>
              </strong>
              {state && <Status tone={state.tone} label={say(state.label)} />}
            </div>
            <small>
              {role && say(role.label)} · {formatInstant(entry.done_at)} ·{' '}
              <bdi>{nameOf(rotations.get(entry.rotation_id)?.training, lang)}</bdi>
              {entry.by && (
                <>
                  {' · '}
                  <bdi>{nameOf(entry.by, lang)}</bdi>
                </>
              )}
            </small>
            {entry.note && <p dir="auto">{entry.note}</p>}
            {entry.status !== 'confirmed' && entry.why && (
              <p className={css.why} dir="auto">
                {entry.why}
              </p>
            )}
            {buttons && <div className={css.buttons}>{buttons(entry)}</div>}
          </li>
        )
      })}
    </ul>
  )
}
