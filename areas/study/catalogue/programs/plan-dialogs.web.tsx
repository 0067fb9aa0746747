import { Button, Modal, NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Code, Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
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
  const say = useLabel()
  const lang = useLanguage()
  const [chosen, setChosen] = useState<number | null>(course?.course_id ?? null)
  const [semester, setSemester] = useState(first)
  const [level, setLevel] = useState(course?.level ?? levelOf(plan, first))
  const [kind, setKind] = useState<Kind>(course?.kind ?? 'mandatory')
  const [pool, setPool] = useState<number | null>(course?.pool_id ?? plan.pools[0]?.id ?? null)
  // Marks are out of a maximum only under a regulation by marks.
  const byMarks = worksByMarks(plan.program.program_type)
  const [maximum, setMaximum] = useState<number | null>(course?.own_max_mark ? course.max_mark : null)
  const { busy, problem: error, go, send } = useChange()
  const save = async () => {
    if (chosen === null) return
    const place = {
      semester,
      level,
      kind,
      pool_id: kind === 'elective' ? pool : null,
      ...(byMarks && { max_mark: maximum }),
    }
    const done = await go(() =>
      take(
        course
          ? send(programCalls.editCourse, { params: { id: course.id }, body: place })
          : send(programCalls.sync, {
              params: { id: plan.program.id },
              body: { mode: 'merge', courses: [{ course_id: chosen, ...place }] },
            }),
      ),
    )
    if (done) onClose()
  }
  // Where a course stands moves nobody; what it stands as does.
  const same = course && kind === course.kind && (kind !== 'elective' || pool === course.pool_id)
  const edit =
    chosen === null || same || (kind === 'elective' && pool === null)
      ? null
      : { courses: [{ course_id: chosen, kind, pool_id: kind === 'elective' ? pool : null, level }] }
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => ({ value: String(from + i), label: formatNumber(from + i) }))
  return (
    <Modal
      opened
      onClose={onClose}
      title={course ? <bdi>{nameOf(course, lang)}</bdi> : t('add_to_semester', { semester: first })}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Stack>
          {!course && <LookupInput resource="course" label={t('course')} defaultValue={null} onChange={setChosen} />}
          <div className={css.fields}>
            <Select
              label={t('semester')}
              data={numbers(1, plan.program.semesters)}
              value={String(semester)}
              allowDeselect={false}
              onChange={(value) => setSemester(Number(value))}
            />
            <Select
              label={t('level')}
              data={numbers(0, 7)}
              value={String(level)}
              allowDeselect={false}
              onChange={(value) => setLevel(Number(value))}
            />
            <Select
              label={t('kind')}
              data={PLAN_KINDS.map((k) => ({ value: k.value, label: say(k.label) }))}
              value={kind}
              allowDeselect={false}
              onChange={(value) => setKind(value as Kind)}
            />
            {kind === 'elective' && (
              <Select
                label={t('pool')}
                data={plan.pools.map((p) => ({ value: String(p.id), label: nameOf(p, lang) }))}
                value={pool === null ? null : String(pool)}
                placeholder={plan.pools.length ? undefined : t('no_pools')}
                onChange={(value) => setPool(value ? Number(value) : null)}
              />
            )}
            {byMarks && (
              <NumberInput
                label={t('max_mark')}
                description={t('max_mark_text')}
                min={1}
                max={999}
                allowDecimal={false}
                value={maximum ?? ''}
                onChange={(value) => setMaximum(value === '' ? null : Number(value))}
              />
            )}
          </div>
          <WhoseStanding of="program" id={plan.program.id} edit={edit} />
          {error !== null && <Problems error={error} title={t('not_saved')} />}
          <div className={css.bar}>
            <Submit type="submit" loading={busy} missing={[chosen === null && t('course')]}>
              {course ? t('save') : t('add_course')}
            </Submit>
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
          </div>
        </Stack>
      </form>
    </Modal>
  )
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
