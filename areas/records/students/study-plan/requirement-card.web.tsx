import { Button, Menu } from '@mantine/core'
import type { AuditedRequirement } from '#areas/records/degree-audit/audits/audit.contract.ts'
import { Code, Status } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import css from './audit.module.css'
import { CourseChip, type Chip } from './course-chip.web.tsx'

/** Of a requirement, by what it lacks: what is late comes first, then what lacks most, then what runs, then what is met. */
export const urgency = (one: AuditedRequirement): number =>
  one.state === 'met'
    ? 3000
    : one.state === 'in_progress'
      ? 2000
      : (one.late ? 0 : 1000) + (one.required > 0 ? (100 * one.earned) / one.required : 0)

/** What a requirement shows of the student's courses. */
export interface Seen {
  /** What is known of a course: shown when its chip is touched. */
  readonly chipOf: (id: number) => Chip | undefined
  /** Courses that a requirement of the study plan still offers, by its key. */
  readonly offered: (key: string) => readonly number[]
  readonly onCourse: (id: number) => void
  readonly why: (exception: number) => string | undefined
  /** Staff who may except a student. */
  readonly onWaive?: ((one: AuditedRequirement) => void) | undefined
}

const inUnit = (one: AuditedRequirement, value: number): string =>
  formatNumber(value, one.unit === 'gpa' ? 2 : undefined)

/** A requirement: how far it is met as a bar, what is missing in words, and its courses. */
export function RequirementCard({ one, seen, level = 3 }: { one: AuditedRequirement; seen: Seen; level?: 3 | 4 }) {
  const t = useT('degree-audit')
  const lang = useLanguage()
  const Title = level === 3 ? 'h3' : 'h4'
  const counted = new Map(one.courses.map((course) => [course.course.id, course]))
  const listed = one.listed.filter((entry) => !counted.has(entry.satisfied_by ?? entry.course.id))
  const offered =
    one.state === 'met' || one.listed.length > 0 ? [] : seen.offered(one.key).filter((id) => !counted.has(id))
  const whole = Math.max(one.required, one.earned + one.in_progress, 1)
  const part = (n: number) => `${(100 * Math.min(n, whole)) / whole}%`
  const why = one.waived_by === null ? undefined : seen.why(one.waived_by)
  const note = lang === 'ar' ? (one.note_local ?? one.note) : (one.note ?? one.note_local)
  return (
    <section className={level === 3 ? css.requirement : css.part} data-state={one.state} aria-label={nameOf(one, lang)}>
      <header className={css.requirementHead}>
        <Title>
          <bdi>{nameOf(one, lang)}</bdi>
        </Title>
        <Status
          is={one.waived_by !== null ? 'left_out' : one.late && one.state === 'missing' ? 'late' : one.state}
          label={t(
            one.waived_by !== null
              ? 'state_waived'
              : one.late && one.state === 'missing'
                ? 'state_late'
                : (`state_${one.state}` as const),
          )}
        />
      </header>
      {note && <p className={css.note}>{note}</p>}
      {one.unit !== 'hand' && one.required > 0 && one.waived_by === null && (
        <div className={css.measure}>
          <div
            className={css.track}
            role="img"
            aria-label={t('bar_says', {
              name: nameOf(one, lang),
              earned: inUnit(one, one.earned),
              required: inUnit(one, one.required),
            })}
          >
            <span className={css.earned} style={{ inlineSize: part(one.earned) }} />
            <span className={css.running} style={{ inlineSize: part(one.in_progress) }} />
          </div>
          <span className={css.figures}>
            <Code>
              {inUnit(one, one.earned)}
              {one.in_progress > 0 && one.unit !== 'gpa' && ` + ${inUnit(one, one.in_progress)}`} /{' '}
              {inUnit(one, one.required)}
            </Code>{' '}
            {t(`in_${one.unit}`)}
          </span>
        </div>
      )}
      {why && <p className={css.note}>{t('waived_why', { reason: why })}</p>}
      {one.missing.length > 0 && (
        <ul className={css.missing}>
          {one.missing.map((missing, i) => (
            <li key={i}>{problemText(missing, lang)}</li>
          ))}
        </ul>
      )}
      {(one.courses.length > 0 || listed.length > 0 || offered.length > 0) && (
        <ul className={css.chips} aria-label={t('courses_of', { name: nameOf(one, lang) })}>
          {one.courses.map(({ course, state, by }) => (
            <li key={course.id}>
              <CourseChip
                chip={seen.chipOf(course.id)}
                course={course}
                state={state}
                by={by === 'rule' ? undefined : by}
                onOpen={() => seen.onCourse(course.id)}
              />
            </li>
          ))}
          {listed.map(({ course, state, excused }) => (
            <li key={`listed ${course.id}`}>
              <CourseChip
                chip={seen.chipOf(course.id)}
                course={course}
                state={
                  excused ? 'excused' : state === 'met' ? 'passed' : state === 'in_progress' ? 'in_progress' : 'missing'
                }
                onOpen={() => seen.onCourse(course.id)}
              />
            </li>
          ))}
          {offered.slice(0, 12).map((id) => {
            const chip = seen.chipOf(id)
            return (
              chip && (
                <li key={`offered ${id}`}>
                  <CourseChip chip={chip} course={chip.course} state="possible" onOpen={() => seen.onCourse(id)} />
                </li>
              )
            )
          })}
          {offered.length > 12 && <li className={css.dim}>{t('and_more', { count: offered.length - 12 })}</li>}
        </ul>
      )}
      {one.parts.map((inner) => (
        <RequirementCard key={inner.key} one={inner} seen={seen} level={4} />
      ))}
      {seen.onWaive && one.state !== 'met' && one.waived_by === null && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button size="compact-sm" variant="subtle" color="gray" className={css.more}>
              {t('decide')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => seen.onWaive?.(one)}>
              {t(one.kind === 'hand' ? 'confirm_hand' : 'waive')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </section>
  )
}
