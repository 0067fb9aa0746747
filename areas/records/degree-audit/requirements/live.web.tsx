import { Anchor, Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowRight } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Problems, Status, notify } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatNumber, formatPercent, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Link, addressOfRecord } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import type { AuditedRequirement } from '../audits/audit.contract.ts'
import css from './requirements.module.css'
import type { RequirementOwner } from './stored.contract.ts'
import { touchedCalls, type Edit, type TouchedByRequirements } from './touched.contract.ts'

/** Whose requirements. */
export interface Of {
  readonly of: RequirementOwner
  readonly id: number
}

/** Where a student stands after an edit, by the keys of the tree that is edited. */
export function useLiveAudit(params: Of, student: number | null, edit: Edit | null) {
  const query = useCall(
    touchedCalls.auditUnderEdit,
    { params: { ...params, student_id: student ?? 0 }, body: edit ?? {} },
    { enabled: student !== null && edit !== null, placeholderData: keepPreviousData },
  )
  const data = student === null ? undefined : query.data?.data
  const byKey = useMemo(() => {
    const all = new Map<string, AuditedRequirement>()
    const visit = (one: AuditedRequirement) => {
      if (one.key.startsWith(`${params.of}.`)) all.set(one.key.slice(params.of.length + 1), one)
      one.parts.forEach(visit)
    }
    if (data) visit(data.requirements)
    return all
  }, [data, params.of])
  return { ...query, data, byKey }
}

const Percent = ({ value }: { value: number }) => <Code>{formatPercent(value / 100)}</Code>

/** A student whose audit runs beside the tree. */
export function LiveStudent({
  params,
  onStudent,
  live,
}: {
  params: Of
  onStudent: (id: number | null) => void
  live: ReturnType<typeof useLiveAudit>
}) {
  const t = useT('degree-audit')
  const { data, error } = live
  const filters = useMemo(
    () => (params.of === 'program' ? { program_id: params.id } : { bylaw_id: params.id }),
    [params.of, params.id],
  )
  return (
    <Card title={t('live_student')} text={t('live_student_text')}>
      <LookupInput
        resource="student"
        aria-label={t('choose_student')}
        placeholder={t('choose_student')}
        filters={filters}
        defaultValue={null}
        onChange={onStudent}
      />
      {error && !data ? (
        <Problems error={error} />
      ) : (
        data && (
          <div className={css.live} aria-live="polite">
            <span className={css.percent}>{formatPercent(data.after.percent / 100)}</span>
            <Status is={data.after.state} label={t(`state_${data.after.state}`)} />
            {data.before.percent !== data.after.percent && (
              <span className={css.says}>
                {t('was_percent', { percent: formatPercent(data.before.percent / 100) })}
              </span>
            )}
          </div>
        )
      )}
    </Card>
  )
}

/** How a requirement of the tree stands for the student who was chosen. */
export function LiveState({ audit }: { audit: AuditedRequirement | undefined }) {
  const t = useT('degree-audit')
  if (!audit) return null
  return (
    <span className={css.liveState}>
      {audit.unit !== 'hand' && audit.required > 0 && (
        <Code>
          {formatNumber(audit.earned)} / {formatNumber(audit.required)}
        </Code>
      )}{' '}
      <Status is={audit.state} label={t(`state_${audit.state}`)} />
    </span>
  )
}

/** What is asked is a moment old: not every letter is asked for. */
const MOMENT = 400

/**
 * Whose standing an edit of a bylaw, a program or a plan would change, told within its form before it is saved; null:
 * nothing that requirements follow from is edited.
 */
export function WhoseAudit({ of, id, edit }: Of & { edit: Edit | null }) {
  const [asked] = useDebouncedValue(edit && JSON.stringify(edit), MOMENT)
  const looked = useMemo(() => (asked === null ? null : (JSON.parse(asked) as Edit)), [asked])
  if (edit === null || looked === null || !may('show_requirements')) return null
  return <TouchedBy params={{ of, id }} edit={looked} inside />
}

/** Whom an edit touches: of a sample at once, of all by a job. `inside`: part of a card or a dialog. */
export function TouchedBy({ params, edit, inside = false }: { params: Of; edit: Edit | null; inside?: boolean }) {
  const t = useT('degree-audit')
  const { send } = useChange()
  const [job, setJob] = useState<string | null>(null)
  const [all, setAll] = useState<{ of: string; result: TouchedByRequirements } | null>(null)
  const now = JSON.stringify(edit)
  const { data, error } = useCall(
    touchedCalls.touchedStudents,
    { params, body: edit ?? {} },
    { enabled: edit !== null, placeholderData: keepPreviousData },
  )
  if (edit === null) return null
  const found = all?.of === now ? all.result : data?.data
  if (error && !found) return <Problems error={error} />
  if (!found) return <Bone height={inside ? 64 : 120} />
  const lookAtAll = found.looked < found.students && !job && (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() =>
        void send(touchedCalls.touchedByAll, { params, body: edit })
          .then((answer) => setJob(answer.job_id))
          .catch((problem: unknown) => notify.error(problem))
      }
    >
      {t('look_at_all', { count: found.students })}
    </Button>
  )
  const content = (
    <>
      {job && (
        <ProgressJob
          id={job}
          label={t('looking_at_all')}
          onDone={(result) => {
            setJob(null)
            if (result) setAll({ of: now, result: result as TouchedByRequirements })
          }}
        />
      )}
      <TouchedFound found={found} inside={inside} />
    </>
  )
  if (!inside)
    return (
      <Card title={t('touched')} aside={lookAtAll || undefined}>
        {content}
      </Card>
    )
  return (
    <section className={css.inside} aria-label={t('touched')}>
      <header>
        <h3>{t('touched')}</h3>
        {lookAtAll}
      </header>
      {content}
    </section>
  )
}

function TouchedFound({ found, inside }: { found: TouchedByRequirements; inside: boolean }) {
  const t = useT('degree-audit')
  const lang = useLanguage()
  const [more, setMore] = useState(false)
  const changed = found.further + found.nearer
  if (!found.students) return <p className={css.dim}>{t('no_students')}</p>
  return (
    <div aria-live="polite">
      <p className={css.sentence}>
        {found.before === found.after
          ? t('as_many_complete', { after: found.after, looked: found.looked })
          : t('still_complete', { after: found.after, before: found.before, looked: found.looked })}{' '}
        {changed === 0
          ? t('nobody_changes')
          : t('so_many_change', { count: changed, further: found.further, nearer: found.nearer })}
      </p>
      {found.changes.length > 0 && (
        <ul className={css.touched}>
          {found.changes.slice(0, more ? 200 : 8).map(({ student, before, after }) => (
            <li key={student.id}>
              {/* Whoever looks at a student does not lose the edit. */}
              <Anchor
                component={Link}
                to={addressOfRecord('student', 'show', student.id) ?? '#'}
                {...(inside && { target: '_blank' })}
              >
                <bdi>{nameOf(student, lang)}</bdi>
              </Anchor>{' '}
              <Code className={css.says}>{student.code}</Code>
              <span className={css.shift}>
                <Percent value={before.percent} /> <IconArrowRight size={14} className="pointing" aria-hidden />{' '}
                <Percent value={after.percent} />
                {before.state !== after.state && <Status is={after.state} label={t(`state_${after.state}`)} />}
              </span>
            </li>
          ))}
        </ul>
      )}
      {found.changes.length > 8 && (
        <Button size="compact-sm" variant="subtle" aria-expanded={more} onClick={() => setMore(!more)}>
          {more ? t('show_fewer') : t('show_all_changes', { count: found.changes.length })}
        </Button>
      )}
      {found.hidden > 0 && <p className={css.dim}>{t('hidden_changes', { count: found.hidden })}</p>}
    </div>
  )
}
