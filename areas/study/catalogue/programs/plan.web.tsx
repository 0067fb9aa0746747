import { Failed } from '#kit/web/feedback/index.ts'
import { problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import css from '../catalogue.module.css'
import { worksByMarks } from '../mark-regulation.rules.ts'
import { PLAN_KINDS } from '../words.contract.ts'
import { PlanGrid } from './plan-board.web.tsx'
import type { StudyPlanAnswer } from './plan.contract.ts'
import { PlanSign } from './sign.web.tsx'
import { usePlan, type PlanCourse } from './use-plan.web.ts'

type Kind = PlanCourse['kind']

export function PlanOfProgram({ row }: { row: { id: number } }) {
  const t = useT('catalogue')
  const { plan, error, refetch, take } = usePlan(row.id)
  if (error && !plan) return <Failed error={error} retry={() => void refetch()} />
  if (!plan) {
    return (
      <div className={css.board} aria-busy="true">
        {Array.from({ length: 8 }, (_, i) => (
          <div key={i} className={css.column} />
        ))}
      </div>
    )
  }
  return (
    <Stack>
      <Findings plan={plan} />
      <PlanGrid plan={plan} take={take} />
      <p className={css.legend}>
        <Legend />
        {plan.abilities.includes('edit_plan') && <span>{t('board_keys')}</span>}
      </p>
    </Stack>
  )
}

const Legend = () => {
  const say = useLabel()
  const colours: Readonly<Record<Kind, string>> = {
    mandatory: 'var(--accent)',
    elective: 'var(--tone-waiting)',
    university: 'var(--tone-done)',
    faculty: 'var(--text-faint)',
  }
  return PLAN_KINDS.map((kind) => (
    <span key={kind.value}>
      <i style={{ background: colours[kind.value] }} />
      {say(kind.label)}
    </span>
  ))
}

/** What is wrong with the plan as a whole; what concerns one course stands at the course. */
function Findings({ plan }: { plan: StudyPlanAnswer }) {
  const t = useT('catalogue')
  const placed = new Set(plan.courses.map((c) => c.course_id))
  const general = plan.problems.filter((p) => p.course_id === null || !placed.has(p.course_id))
  const beside = plan.problems.length - general.length
  return (
    <Card
      title={
        worksByMarks(plan.program.program_type)
          ? t('plan_marks', { marks: plan.courses.reduce((sum, one) => sum + one.max_mark, 0) })
          : t('plan_hours', { hours: plan.credit_hours, minimum: plan.program.min_credit_hours })
      }
      aside={<span className={css.faint}>{t('plan_courses', { count: plan.courses.length })}</span>}
      text={
        plan.problems.length === 0 && t(worksByMarks(plan.program.program_type) ? 'plan_sound_marks' : 'plan_sound')
      }
    >
      {plan.problems.length > 0 && (
        <ul className={css.findings}>
          {general.map((p, i) => (
            <li key={i} data-severity={p.severity}>
              <span data-severity={p.severity}>
                <PlanSign severity={p.severity} />
              </span>
              <span>{problemText(p)}</span>
            </li>
          ))}
          {beside > 0 && <li className={css.faint}>{t('plan_beside', { count: beside })}</li>}
        </ul>
      )}
    </Card>
  )
}
