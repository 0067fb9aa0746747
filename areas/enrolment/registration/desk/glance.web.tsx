import { sumDecimals } from '#areas/study/catalogue/decimal.rules.ts'
import { Select, Skeleton } from '@mantine/core'
import { useCall } from '#kit/web/api/index.ts'
import { Status } from '#kit/web/feedback/index.ts'
import { formatAgo, formatInstant, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { requestCalls, type Requested } from '../requests/request.contract.ts'
import { LoadBar } from './parts.web.tsx'
import type { DeskState } from './use-desk.web.ts'
import css from './desk.module.css'

/** What is taken of what may be taken, the windows, and the term. On a phone it is folded away behind one line. */
export function Glance({
  desk,
  requested,
  phone,
}: {
  desk: DeskState
  requested: Requested
  phone: boolean | undefined
}) {
  const [, setQuery] = useSearchParams()
  const load = requested.load
  const { added, studentId } = desk
  const glance = (
    <div className={css.glance}>
      {load?.by_marks ? null : load ? <Load load={load} added={added} /> : <Skeleton height={54} />}
      <Windows stages={requested.stages} />
      <TermChoice
        studentId={studentId ?? requested.student?.id ?? null}
        current={requested.term ?? null}
        onChange={(id) => setQuery(id === null ? {} : { term: String(id) })}
      />
    </div>
  )
  if (!phone) return glance
  return (
    <details className={css.fold}>
      <summary>{load ? <InOneLine load={load} chosen={added.hours} stages={requested.stages} /> : '\u00A0'}</summary>
      {glance}
    </details>
  )
}

/** Hours and courses of what may be taken, and why no more. */
function Load({ load, added }: { load: NonNullable<Requested['load']>; added: DeskState['added'] }) {
  const t = useT('registration')
  const lang = useLanguage()
  return (
    <>
      <LoadBar taken={load.hours} chosen={added.hours} limit={load.max_hours} label={t('hours_taken')} />
      <LoadBar taken={load.courses} chosen={added.courses} limit={load.max_courses} label={t('courses_taken')} />
      {load.elsewhere.map((one) => (
        <p key={one.program.id} className={css.why}>
          {t('hours_elsewhere', {
            program: nameOf(one.program, lang),
            hours: formatNumber(one.hours),
            together: formatNumber(load.hours + one.hours),
          })}
        </p>
      ))}
      {load.max_hours !== null && (
        <p className={css.why}>
          {t(load.warnings ? 'limit_reason_warned' : 'limit_reason', {
            hours: load.max_hours,
            gpa: formatNumber(load.gpa, 2) || '–',
            count: load.warnings,
          })}
        </p>
      )}
    </>
  )
}

/** Windows that concern a student, in the reader's language; others have the name they were given. */
const WINDOWS = {
  register: 'window_register',
  add_drop: 'window_add_drop',
  withdraw: 'window_withdraw',
  excuse: 'window_excuse',
} as const
const isStudents = (code: string): code is keyof typeof WINDOWS => Object.hasOwn(WINDOWS, code)

/** The term in one line: hours of what may be taken, and what is open until when. */
function InOneLine({
  load,
  chosen,
  stages,
}: {
  load: NonNullable<Requested['load']>
  chosen: number
  stages: Requested['stages']
}) {
  const t = useT('registration')
  const open = stages.find((stage) => stage.open && isStudents(stage.code))
  return (
    <>
      {load.max_hours === null
        ? t('hours', { count: sumDecimals([load.hours, chosen]) })
        : t('glance_hours', {
            hours: formatNumber(sumDecimals([load.hours, chosen])),
            limit: formatNumber(load.max_hours),
          })}
      {open && (
        <span className={css.dim}>
          {' · '}
          {t(WINDOWS[open.code as keyof typeof WINDOWS])}:{' '}
          {t('closes', { when: formatAgo(open.ends_at), at: formatInstant(open.ends_at) })}
        </span>
      )}
    </>
  )
}

/** Windows of the term: what is open until when, and what comes. */
function Windows({ stages }: { stages: Requested['stages'] | undefined }) {
  const t = useT('registration')
  const lang = useLanguage()
  if (!stages) return <Skeleton height={22} />
  if (!stages.length) return <p className={css.windows}>{t('no_windows')}</p>
  return (
    <ul className={css.windows} id="windows">
      {stages.map((stage) => (
        <li key={`${stage.code} ${stage.id}`}>
          <Status
            is={stage.open ? 'open' : 'closed'}
            label={isStudents(stage.code) ? t(WINDOWS[stage.code]) : nameOf(stage, lang)}
          />{' '}
          <span className={css.dim} title={formatInstant(stage.open ? stage.ends_at : stage.starts_at)}>
            {t(stage.open ? 'closes' : 'opens', {
              when: formatAgo(stage.open ? stage.ends_at : stage.starts_at),
              at: formatInstant(stage.open ? stage.ends_at : stage.starts_at),
            })}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Chooses among the terms in which the student has registrations, and the one that is shown. */
function TermChoice({
  studentId,
  current,
  onChange,
}: {
  studentId: number | null
  current: Requested['term']
  onChange: (id: number | null) => void
}) {
  const t = useT('registration')
  const lang = useLanguage()
  const { data } = useCall(
    requestCalls.terms,
    { params: { id: studentId ?? 0 } },
    { enabled: studentId !== null, staleTime: 60_000 },
  )
  const known = data?.data ?? []
  const terms = current && !known.some((term) => term.id === current.id) ? [current, ...known] : known
  if (terms.length < 2) return null
  return (
    <Select
      size="xs"
      className={css.term}
      aria-label={t('term')}
      data={terms.map((term) => ({ value: String(term.id), label: nameOf(term, lang) }))}
      value={current ? String(current.id) : null}
      onChange={(next) => onChange(next === null ? null : Number(next))}
      allowDeselect={false}
    />
  )
}
