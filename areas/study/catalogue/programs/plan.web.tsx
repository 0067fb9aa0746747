import { sumDecimals } from '#areas/study/catalogue/decimal.rules.ts'
import { ActionIcon, Button, Menu, Modal, NumberInput, Select } from '@mantine/core'
import { IconAlertTriangle, IconBan, IconPlus } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { keyOf, useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Problems, confirm, notify } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { directionOf, formatNumber, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { addressOfRecord, useNavigate } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import css from '../catalogue.module.css'
import { RequisiteEditor } from '../courses/requisite-input.web.tsx'
import { worksByMarks } from '../mark-regulation.rules.ts'
import { coursesIn, printRequisite, type Requisite } from '../requisites.rules.ts'
import { WhoseStanding } from '../standing.web.tsx'
import { PLAN_KINDS } from '../words.contract.ts'
import { programCalls, type StudyPlanAnswer } from './plan.contract.ts'

type PlanCourse = StudyPlanAnswer['courses'][number]
type Kind = PlanCourse['kind']

/** The plan of a program, and a way to change it: each change answers with the plan as it then is. */
export function usePlan(id: number) {
  const client = useQueryClient()
  const input = { params: { id } }
  const query = useCall(programCalls.studyPlan, input)
  const take = async (work: Promise<{ data: unknown }>) => {
    const answer = await work
    client.setQueryData(keyOf(programCalls.studyPlan, input), answer)
  }
  return { ...query, plan: query.data?.data, take }
}

/** The level a semester usually belongs to: what most of its courses say, else two semesters a level. */
const levelOf = (plan: StudyPlanAnswer, semester: number): number => {
  const votes = new Map<number, number>()
  for (const c of plan.courses) if (c.semester === semester) votes.set(c.level, (votes.get(c.level) ?? 0) + 1)
  const [most] = [...votes].sort((a, b) => b[1] - a[1])
  return most?.[0] ?? Math.min(7, Math.ceil(semester / 2))
}

export function Plan({ row }: { row: { id: number } }) {
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
      <Board plan={plan} take={take} />
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

const Sign = ({ severity }: { severity: 'error' | 'warning' }) =>
  severity === 'error' ? <IconBan size={14} aria-hidden /> : <IconAlertTriangle size={14} aria-hidden />

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
                <Sign severity={p.severity} />
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

function Board({ plan, take }: { plan: StudyPlanAnswer; take: (work: Promise<{ data: unknown }>) => Promise<void> }) {
  const t = useT('catalogue')
  const lang = useLanguage()
  const say = useLabel()
  const navigate = useNavigate()
  const editable = plan.abilities.includes('edit_plan')
  const box = useRef<HTMLDivElement>(null)
  const { send } = useChange()
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const [looked, setLooked] = useState<number | null>(null)
  const [adding, setAdding] = useState<number | null>(null)
  const [requiring, setRequiring] = useState<PlanCourse | null>(null)
  const [kindOf, setKindOf] = useState<PlanCourse | null>(null)
  const last = Math.max(plan.program.semesters, ...plan.courses.map((c) => c.semester))
  const semesters = Array.from({ length: last }, (_, i) => i + 1)
  const codes = useMemo(
    () =>
      new Map([
        ...plan.courses.map((c) => [c.course_id, c.code] as const),
        ...plan.other_courses.map((c) => [c.id, c.code ?? ''] as const),
      ]),
    [plan],
  )
  const problems = useMemo(() => {
    const out = new Map<number, StudyPlanAnswer['problems']>()
    for (const p of plan.problems) if (p.course_id !== null) out.set(p.course_id, [...(out.get(p.course_id) ?? []), p])
    return out
  }, [plan])
  const lookedAt = plan.courses.find((c) => c.id === looked)
  const needed = new Set(lookedAt ? coursesIn(lookedAt.prerequisites) : [])
  const levelName = (level: number) => {
    const found = plan.levels.find((l) => l.level === level)
    return found ? nameOf(found, lang) : t('level_number', { level })
  }

  const move = async (course: PlanCourse, semester: number, { undo = true } = {}) => {
    if (semester < 1 || semester > plan.program.semesters || semester === course.semester) return
    try {
      await take(
        send(programCalls.moveCourse, {
          params: { id: course.id },
          body: { semester, level: levelOf(plan, semester) },
        }),
      )
      const text = t('moved', { code: course.code, semester })
      const back = () =>
        take(
          send(programCalls.moveCourse, {
            params: { id: course.id },
            body: { semester: course.semester, level: course.level },
          }),
        )
      if (undo) notify.undo(text, back)
      requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-course="${course.id}"]`)?.focus())
    } catch (problem) {
      notify.error(problem)
    }
  }
  const remove = (course: PlanCourse) =>
    void confirm({
      title: t('remove_from_plan', { code: course.code }),
      consequence: (
        <>
          {t('remove_from_plan_text')}
          <WhoseStanding of="program" id={plan.program.id} edit={{ without_courses: [course.course_id] }} />
        </>
      ),
      action: t('remove'),
      danger: true,
      go: () => take(send(programCalls.removeCourse, { params: { id: course.id } })),
    })
  const onKey = (event: KeyboardEvent, course: PlanCourse) => {
    const forward = directionOf(lang) === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const backward = directionOf(lang) === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    if (event.key !== forward && event.key !== backward && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const step = event.key === forward ? 1 : -1
    if (event.altKey && editable && (event.key === forward || event.key === backward))
      return void move(course, course.semester + step)
    const cards = [...(box.current?.querySelectorAll<HTMLElement>('[data-course]') ?? [])]
    const index = cards.findIndex((card) => card.dataset.course === String(course.id))
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      return cards[index + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
    for (let s = course.semester + step; s >= 1 && s <= last; s += step) {
      const card = box.current?.querySelector<HTMLElement>(`[data-semester="${s}"] [data-course]`)
      if (card) return card.focus()
    }
  }

  return (
    <>
      <section className={css.board} ref={box} aria-label={t('study_plan')}>
        {semesters.map((semester) => {
          const courses = plan.courses.filter((c) => c.semester === semester)
          const fixed = sumDecimals(courses.map((c) => (c.kind === 'elective' ? 0 : c.credit_hours)))
          const elective = sumDecimals(courses.map((c) => (c.kind === 'elective' ? c.credit_hours : 0)))
          const beyond = plan.max_hours !== null && fixed > plan.max_hours
          return (
            // oxlint-disable-next-line no-noninteractive-element-interactions -- a place to drop on; the keyboard moves courses by their own keys
            <section
              key={semester}
              className={css.column}
              data-semester={semester}
              data-over={over === semester || undefined}
              aria-label={t('semester_number', { semester })}
              onDragOver={(event) => {
                if (dragged === null) return
                event.preventDefault()
                setOver(semester)
              }}
              onDragLeave={() => setOver((kept) => (kept === semester ? null : kept))}
              onDrop={(event) => {
                event.preventDefault()
                const course = plan.courses.find((c) => c.id === dragged)
                setOver(null)
                setDragged(null)
                if (course) void move(course, semester)
              }}
            >
              <header className={css.columnHead}>
                <h3>{t('semester_number', { semester })}</h3>
                <small
                  data-beyond={beyond || undefined}
                  title={plan.max_hours === null ? undefined : t('hours_limit', { count: plan.max_hours })}
                >
                  {levelName(levelOf(plan, semester))} ·{' '}
                  {worksByMarks(plan.program.program_type)
                    ? t('marks_short', { marks: courses.reduce((sum, one) => sum + one.max_mark, 0) })
                    : t('hours_short', { count: fixed })}
                  {elective > 0 && ` + ${t('elective_hours', { count: elective })}`}
                </small>
                {editable && semester <= plan.program.semesters && (
                  <ActionIcon
                    variant="subtle"
                    aria-label={t('add_to_semester', { semester })}
                    onClick={() => setAdding(semester)}
                  >
                    <IconPlus size={16} />
                  </ActionIcon>
                )}
              </header>
              {courses.map((c) => {
                const found = problems.get(c.course_id) ?? []
                const pool = plan.pools.find((p) => p.id === c.pool_id)
                const own = coursesIn(c.prerequisites)
                const link = needed.has(c.course_id)
                  ? 'needed'
                  : lookedAt && own.includes(lookedAt.course_id)
                    ? 'needs'
                    : undefined
                const address = addressOfRecord('course', 'show', c.course_id)
                return (
                  <Menu key={c.id} position="bottom-start" withinPortal>
                    <Menu.Target>
                      <button
                        type="button"
                        className={css.course}
                        data-course={c.id}
                        data-kind={c.kind}
                        data-link={link}
                        data-problem={found.some((p) => p.severity === 'error') ? 'error' : undefined}
                        data-dragged={dragged === c.id || undefined}
                        draggable={editable}
                        onDragStart={(event) => {
                          event.dataTransfer.effectAllowed = 'move'
                          event.dataTransfer.setData('text/plain', c.code)
                          setDragged(c.id)
                        }}
                        onDragEnd={() => setDragged(null)}
                        onFocus={() => setLooked(c.id)}
                        onBlur={() => setLooked(null)}
                        onMouseEnter={() => setLooked(c.id)}
                        onMouseLeave={() => setLooked(null)}
                        onKeyDown={(event) => onKey(event, c)}
                      >
                        <Code className={css.courseCode}>{c.code}</Code>
                        <span className={css.courseHours}>
                          {worksByMarks(plan.program.program_type)
                            ? t('out_of', { maximum: formatNumber(c.max_mark) })
                            : t('hours_short', { count: c.credit_hours })}
                        </span>
                        <bdi className={css.courseName}>{nameOf(c, lang)}</bdi>
                        {pool && <bdi className={css.courseNote}>{nameOf(pool, lang)}</bdi>}
                        {(c.kind === 'university' || c.kind === 'faculty') && (
                          <span className={css.courseNote}>
                            {say(PLAN_KINDS.find((k) => k.value === c.kind)!.label)}
                          </span>
                        )}
                        {c.own_prerequisites && <span className={css.courseNote}>{t('own_prerequisites')}</span>}
                        {found.map((p, i) => (
                          <span key={i} className={css.courseProblem} data-severity={p.severity}>
                            <Sign severity={p.severity} />
                            <span>{problemText(p)}</span>
                          </span>
                        ))}
                      </button>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Label>
                        {t('prerequisites_are', {
                          text: printRequisite(c.prerequisites, lang, (id) => codes.get(id) ?? '…'),
                        })}
                      </Menu.Label>
                      {address && <Menu.Item onClick={() => void navigate(address)}>{t('open_course')}</Menu.Item>}
                      {editable && (
                        <>
                          {semester > 1 && (
                            <Menu.Item onClick={() => void move(c, semester - 1)}>
                              {t('move_to', { semester: semester - 1 })}
                            </Menu.Item>
                          )}
                          {semester < plan.program.semesters && (
                            <Menu.Item onClick={() => void move(c, semester + 1)}>
                              {t('move_to', { semester: semester + 1 })}
                            </Menu.Item>
                          )}
                          <Menu.Item onClick={() => setKindOf(c)}>{t('change_place')}</Menu.Item>
                          <Menu.Item onClick={() => setRequiring(c)}>{t('change_prerequisites')}</Menu.Item>
                          <Menu.Item color="red" onClick={() => remove(c)}>
                            {t('remove_from_plan_action')}
                          </Menu.Item>
                        </>
                      )}
                    </Menu.Dropdown>
                  </Menu>
                )
              })}
              {!courses.length && <span className={css.faint}>{t('no_courses_here')}</span>}
            </section>
          )
        })}
      </section>
      {!plan.courses.length && <Empty title={t('plan_empty')} text={editable ? t('plan_empty_text') : undefined} />}
      {adding !== null && <PlaceDialog plan={plan} semester={adding} onClose={() => setAdding(null)} take={take} />}
      {kindOf && (
        <PlaceDialog
          plan={plan}
          semester={kindOf.semester}
          course={kindOf}
          onClose={() => setKindOf(null)}
          take={take}
        />
      )}
      {requiring && (
        <PrerequisitesDialog
          plan={plan}
          course={requiring}
          onClose={() => setRequiring(null)}
          take={take}
          title={say(['Prerequisites in this program', 'المتطلبات السابقة في هذا البرنامج'])}
        />
      )}
    </>
  )
}

/** Puts a course into the plan, or changes where and as what it stands there. */
function PlaceDialog({
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
  take: (work: Promise<{ data: unknown }>) => Promise<void>
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
            <Button type="submit" loading={busy} disabled={chosen === null}>
              {course ? t('save') : t('add_course')}
            </Button>
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
function PrerequisitesDialog({
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
  take: (work: Promise<{ data: unknown }>) => Promise<void>
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
