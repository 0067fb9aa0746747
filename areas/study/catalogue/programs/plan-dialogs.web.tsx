import { Button, Modal } from '@mantine/core'
import { useMemo, useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Code, Problems } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form, useFormValue } from '#kit/web/form/form.tsx'
import { formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import css from '../catalogue.module.css'
import { RequisiteEditor } from '../courses/requisite-input.web.tsx'
import { worksByMarks } from '../mark-regulation.rules.ts'
import type { Requisite } from '../requisites.rules.ts'
import { WhoseStanding } from '../standing.web.tsx'
import { PLAN_KINDS } from '../words.contract.ts'
import { programCalls, type StudyPlanAnswer } from './plan.contract.ts'
import { levelOf, type PlanCourse, type Take } from './use-plan.web.ts'

type Kind = PlanCourse['kind']

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ value: from + i, label: asLabel(formatNumber(from + i)) }))

/** What is asked of a course in the plan. */
function usePlaceFields(plan: StudyPlanAnswer, isNew: boolean) {
  const t = useT('catalogue')
  const lang = useLanguage()
  return useMemo(
    () => ({
      ...(isNew && { course_id: f.lookup(asLabel(t('course')), 'course', { required: true }) }),
      semester: f.choice(asLabel(t('semester')), numbers(1, plan.program.semesters), { required: true }),
      level: f.choice(asLabel(t('level')), numbers(0, 7), { required: true }),
      kind: f.choice(asLabel(t('kind')), PLAN_KINDS, { required: true }),
      pool_id: f.choice(
        asLabel(t('pool')),
        plan.pools.map((pool) => ({ value: pool.id, label: asLabel(nameOf(pool, lang)) })),
        { required: true, ...(!plan.pools.length && { help: asLabel(t('no_pools')) }) },
      ),
      // Marks are out of a maximum only under a regulation by marks.
      ...(worksByMarks(plan.program.program_type) && {
        max_mark: f.integer(asLabel(t('max_mark')), { min: 1, max: 999, help: asLabel(t('max_mark_text')) }),
      }),
    }),
    [plan, isNew, t, lang],
  )
}

interface Placed {
  readonly course_id?: number
  readonly semester: number
  readonly level: number
  readonly kind: Kind
  readonly pool_id?: number | null
  readonly max_mark?: number | null
}

/** Puts a course into the plan, or changes where and as what it stands there. */
export function PlaceInPlanDialog({
  plan,
  semester: first,
  course,
  onClose,
  take,
}: {
  plan: StudyPlanAnswer
  semester: number
  course?: PlanCourse
  onClose: () => void
  take: Take
}) {
  const t = useT('catalogue')
  const lang = useLanguage()
  const fields = usePlaceFields(plan, !course)
  const { send } = useChange()
  const save = ({ course_id, semester, level, kind, pool_id, max_mark }: Placed) => {
    const place = {
      semester,
      level,
      kind,
      pool_id: kind === 'elective' ? (pool_id ?? null) : null,
      ...(fields.max_mark && { max_mark: max_mark ?? null }),
    }
    return take(
      course
        ? send(programCalls.editCourse, { params: { id: course.id }, body: place })
        : send(programCalls.sync, {
            params: { id: plan.program.id },
            body: { mode: 'merge', courses: [{ course_id: course_id!, ...place }] },
          }),
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={course ? <bdi>{nameOf(course, lang)}</bdi> : t('add_to_semester', { semester: first })}
    >
      <Form
        fields={fields}
        values={{
          semester: first,
          level: course?.level ?? levelOf(plan, first),
          kind: course?.kind ?? 'mandatory',
          pool_id: course?.pool_id ?? plan.pools[0]?.id ?? null,
          max_mark: course?.own_max_mark ? course.max_mark : null,
        }}
        visible={{ pool_id: ({ kind }) => kind === 'elective' }}
        bar="dialog"
        always={!course}
        submit={course ? t('save') : t('add_course')}
        onCancel={onClose}
        onSave={(values) => save(values as unknown as Placed)}
        onSaved={onClose}
        below={<PlaceStanding plan={plan} course={course} />}
      />
    </Modal>
  )
}

/** Whose standing it would change. Where a course stands moves nobody; what it stands as does. */
function PlaceStanding({ plan, course }: { plan: StudyPlanAnswer; course: PlanCourse | undefined }) {
  const chosen = useFormValue('course_id') as number | null | undefined
  const kind = useFormValue('kind') as Kind
  const pool = (useFormValue('pool_id') as number | null | undefined) ?? null
  const level = useFormValue('level') as number
  const course_id = course?.course_id ?? chosen ?? null
  const same = course && kind === course.kind && (kind !== 'elective' || pool === course.pool_id)
  const edit =
    course_id === null || same || (kind === 'elective' && pool === null)
      ? null
      : { courses: [{ course_id, kind, pool_id: kind === 'elective' ? pool : null, level }] }
  return <WhoseStanding of="program" id={plan.program.id} edit={edit} />
}

/** Prerequisites that hold in this program in place of the course's own. */
export function PrerequisitesDialog({
  plan,
  course,
  title,
  onClose,
  take,
}: {
  plan: StudyPlanAnswer
  course: PlanCourse
  title: string
  onClose: () => void
  take: Take
}) {
  const t = useT('catalogue')
  const [value, setValue] = useState<Requisite | null>(course.prerequisites ?? null)
  const { busy, problem: error, go, send } = useChange()
  const save = async (prerequisites: Requisite | null) => {
    const done = await go(() =>
      take(
        send(programCalls.syncPrerequisites, {
          params: { programId: plan.program.id },
          body: { courses: [{ course_id: course.course_id, prerequisites }] },
        }),
      ),
    )
    if (done) onClose()
  }
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <Stack>
        <div>
          <Code>{course.code}</Code> <bdi>{nameOf(course)}</bdi>
        </div>
        <RequisiteEditor value={value} onChange={setValue} self={course.course_id} />
        {error !== null && <Problems error={error} title={t('not_saved')} />}
        <div className={css.bar}>
          {/* Nothing asked for here is not the same as the course's own. */}
          <Button loading={busy} onClick={() => void save(value ?? { all: [] })}>
            {t('save')}
          </Button>
          {course.own_prerequisites && (
            <Button variant="default" disabled={busy} onClick={() => void save(null)}>
              {t('as_the_course')}
            </Button>
          )}
          <Button variant="subtle" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </Stack>
    </Modal>
  )
}
