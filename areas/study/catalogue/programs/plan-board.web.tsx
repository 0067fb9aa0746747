import { ActionIcon, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { sumDecimals } from '#areas/study/catalogue/decimal.rules.ts'
import { Code, Empty, confirm } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { addressOfRecord, useNavigate } from '#kit/web/router/index.ts'
import css from '../catalogue.module.css'
import { worksByMarks } from '../mark-regulation.rules.ts'
import { coursesIn, printRequisite } from '../requisites.rules.ts'
import { WhoseStanding } from '../standing.web.tsx'
import { PLAN_KINDS } from '../words.contract.ts'
import { PlaceInPlanDialog, PrerequisitesDialog } from './plan-dialogs.web.tsx'
import { programCalls, type StudyPlanAnswer } from './plan.contract.ts'
import { PlanSign } from './sign.web.tsx'
import { levelOf, usePlanBoard, type PlanBoard, type PlanCourse, type Take } from './use-plan.web.ts'

/** Semesters beside each other; courses are taken from one to the other by hand or by keys. */
export function PlanGrid({ plan, take }: { plan: StudyPlanAnswer; take: Take }) {
  const t = useT('catalogue')
  const say = useLabel()
  const board = usePlanBoard(plan, take)
  const { editable, box, last, dialog, setDialog } = board
  const semesters = Array.from({ length: last }, (_, i) => i + 1)
  const close = () => setDialog(null)
  return (
    <>
      <section className={css.board} ref={box} aria-label={t('study_plan')}>
        {semesters.map((semester) => (
          <Semester key={semester} board={board} semester={semester} />
        ))}
      </section>
      {!plan.courses.length && <Empty title={t('plan_empty')} text={editable ? t('plan_empty_text') : undefined} />}
      {dialog?.is === 'adding' && (
        <PlaceInPlanDialog plan={plan} semester={dialog.semester} onClose={close} take={take} />
      )}
      {dialog?.is === 'place' && (
        <PlaceInPlanDialog
          plan={plan}
          semester={dialog.course.semester}
          course={dialog.course}
          onClose={close}
          take={take}
        />
      )}
      {dialog?.is === 'prerequisites' && (
        <PrerequisitesDialog
          plan={plan}
          course={dialog.course}
          onClose={close}
          take={take}
          title={say(['Prerequisites in this program', 'المتطلبات السابقة في هذا البرنامج'])}
        />
      )}
    </>
  )
}

/** A semester, with what its courses come to. */
function Semester({ board, semester }: { board: PlanBoard; semester: number }) {
  const t = useT('catalogue')
  const { plan, editable, dragged, setDragged, over, setOver, setDialog, levelName, move } = board
  const courses = plan.courses.filter((c) => c.semester === semester)
  const fixed = sumDecimals(courses.map((c) => (c.kind === 'elective' ? 0 : c.credit_hours)))
  const elective = sumDecimals(courses.map((c) => (c.kind === 'elective' ? c.credit_hours : 0)))
  const beyond = plan.max_hours !== null && fixed > plan.max_hours
  return (
    // oxlint-disable-next-line no-noninteractive-element-interactions -- a place to drop on; the keyboard moves courses by their own keys
    <section
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
            onClick={() => setDialog({ is: 'adding', semester })}
          >
            <IconPlus size={16} />
          </ActionIcon>
        )}
      </header>
      {courses.map((course) => (
        <CourseCard key={course.id} board={board} course={course} />
      ))}
      {!courses.length && <span className={css.faint}>{t('no_courses_here')}</span>}
    </section>
  )
}

/** A course in the plan; those that it needs and that need it are marked while it is looked at. */
function CourseCard({ board, course }: { board: PlanBoard; course: PlanCourse }) {
  const t = useT('catalogue')
  const say = useLabel()
  const lang = useLanguage()
  const { plan, editable, dragged, setDragged, lookedAt, setLooked, needed, problems, onKey } = board
  const found = problems.get(course.course_id) ?? []
  const pool = plan.pools.find((p) => p.id === course.pool_id)
  const own = coursesIn(course.prerequisites)
  const link = needed.has(course.course_id)
    ? 'needed'
    : lookedAt && own.includes(lookedAt.course_id)
      ? 'needs'
      : undefined
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <button
          type="button"
          className={css.course}
          data-course={course.id}
          data-kind={course.kind}
          data-link={link}
          data-problem={found.some((p) => p.severity === 'error') ? 'error' : undefined}
          data-dragged={dragged === course.id || undefined}
          draggable={editable}
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move'
            event.dataTransfer.setData('text/plain', course.code)
            setDragged(course.id)
          }}
          onDragEnd={() => setDragged(null)}
          onFocus={() => setLooked(course.id)}
          onBlur={() => setLooked(null)}
          onMouseEnter={() => setLooked(course.id)}
          onMouseLeave={() => setLooked(null)}
          onKeyDown={(event) => onKey(event, course)}
        >
          <Code className={css.courseCode}>{course.code}</Code>
          <span className={css.courseHours}>
            {worksByMarks(plan.program.program_type)
              ? t('out_of', { maximum: formatNumber(course.max_mark) })
              : t('hours_short', { count: course.credit_hours })}
          </span>
          <bdi className={css.courseName}>{nameOf(course, lang)}</bdi>
          {pool && <bdi className={css.courseNote}>{nameOf(pool, lang)}</bdi>}
          {(course.kind === 'university' || course.kind === 'faculty') && (
            <span className={css.courseNote}>{say(PLAN_KINDS.find((k) => k.value === course.kind)!.label)}</span>
          )}
          {course.own_prerequisites && <span className={css.courseNote}>{t('own_prerequisites')}</span>}
          {found.map((p, i) => (
            <span key={i} className={css.courseProblem} data-severity={p.severity}>
              <PlanSign severity={p.severity} />
              <span>{problemText(p)}</span>
            </span>
          ))}
        </button>
      </Menu.Target>
      <CourseMenu board={board} course={course} />
    </Menu>
  )
}

/** What can be done with a course of the plan. */
function CourseMenu({ board, course }: { board: PlanBoard; course: PlanCourse }) {
  const t = useT('catalogue')
  const lang = useLanguage()
  const navigate = useNavigate()
  const { plan, take, send, editable, codes, move, setDialog } = board
  const address = addressOfRecord('course', 'show', course.course_id)
  const remove = () =>
    void confirm({
      title: t('remove_from_plan', { code: nameOf(course) }),
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
  return (
    <Menu.Dropdown>
      <Menu.Label>
        {t('prerequisites_are', {
          text: printRequisite(course.prerequisites, lang, (id) => codes.get(id) ?? '…'),
        })}
      </Menu.Label>
      {address && <Menu.Item onClick={() => void navigate(address)}>{t('open_course')}</Menu.Item>}
      {editable && (
        <>
          {course.semester > 1 && (
            <Menu.Item onClick={() => void move(course, course.semester - 1)}>
              {t('move_to', { semester: course.semester - 1 })}
            </Menu.Item>
          )}
          {course.semester < plan.program.semesters && (
            <Menu.Item onClick={() => void move(course, course.semester + 1)}>
              {t('move_to', { semester: course.semester + 1 })}
            </Menu.Item>
          )}
          <Menu.Item onClick={() => setDialog({ is: 'place', course })}>{t('change_place')}</Menu.Item>
          <Menu.Item onClick={() => setDialog({ is: 'prerequisites', course })}>{t('change_prerequisites')}</Menu.Item>
          <Menu.Item color="red" onClick={() => remove()}>
            {t('remove_from_plan_action')}
          </Menu.Item>
        </>
      )}
    </Menu.Dropdown>
  )
}
