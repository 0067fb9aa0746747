import { ActionIcon, Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties } from 'react'
import { sumDecimals } from '#areas/study/catalogue/decimal.rules.ts'
import type { AuditedRequirement } from '#areas/records/degree-audit/audits/audit.contract.ts'
import { useCall } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Status } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { directionOf, formatList, formatNumber, formatPercent, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { part, partDialog } from '#kit/web/later.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import students from '../students.module.css'
import { Amount } from '../words.web.tsx'
import css from './audit.module.css'
import { CourseChip, type Chip, type CoursePlace } from './course-chip.web.tsx'
import type { PlanDecision } from './decide.web.tsx'
import { RequirementCard, urgency, type Seen } from './requirement-card.web.tsx'
import { studyPlanCalls } from './study-plan.contract.ts'
import type { StudyPlanAudit } from './study-plan.contract.ts'

const Course = partDialog(async () => (await import('./decide.web.tsx')).CourseDialog, { ahead: true })
const Decide = partDialog(async () => (await import('./decide.web.tsx')).DecideDialog, { ahead: true })
const Decided = part(async () => (await import('./decide.web.tsx')).Decided)

/** The degree audit; without `id` the reader's own. Staff may ask what would count in another program or under another bylaw. */
export function Audit({ id }: { id?: number }) {
  const t = useT('degree-audit')
  const [program, setProgram] = useState<number | null>(null)
  const [bylaw, setBylaw] = useState<number | null>(null)
  const query = { ...(program && { program_id: program }), ...(bylaw && { bylaw_id: bylaw }) }
  const own = useCall(studyPlanCalls.studyPlan, { query }, { enabled: id === undefined })
  const other = useCall(studyPlanCalls.studyPlanOf, { params: { id: id ?? 0 }, query }, { enabled: id !== undefined })
  const { data, error, refetch } = id === undefined ? own : other
  const audit = data?.data
  return (
    <Stack>
      {(may('access_program') || may('access_bylaw')) && (
        <div className={students.toolbar}>
          {may('access_program') && (
            <div className={students.lookup}>
              <LookupInput
                resource="program"
                label={t('what_if')}
                defaultValue={null}
                onChange={(value) => setProgram(value)}
              />
            </div>
          )}
          {may('access_bylaw') && (
            <div className={students.lookup}>
              <LookupInput
                resource="bylaw"
                label={t('what_if_bylaw')}
                defaultValue={null}
                onChange={(value) => setBylaw(value)}
              />
            </div>
          )}
        </div>
      )}
      {error && !audit ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : audit ? (
        <AuditOf audit={audit} id={id} />
      ) : (
        <>
          <Bone height={180} />
          <Bone height={260} />
        </>
      )}
    </Stack>
  )
}

/** Parts of the tree that are told as a requirement each; hours, GPA and training stand above. */
function sectionsOf(root: AuditedRequirement): AuditedRequirement[] {
  return root.parts
    .filter((one) => !['hours', 'gpa', 'training'].includes(one.key))
    .flatMap((one) => (one.kind === 'all' ? one.parts : [one]))
    .filter((one) => one.required > 0 || one.parts.length > 0 || one.state !== 'met' || one.courses.length > 0)
    .map((one, i) => ({ one, i }))
    .toSorted((a, b) => urgency(a.one) - urgency(b.one) || a.i - b.i)
    .map(({ one }) => one)
}

function* everyOf(one: AuditedRequirement): Generator<AuditedRequirement> {
  yield one
  for (const inner of one.parts) yield* everyOf(inner)
}

/** What is known of each course, by its id. */
function chipsOf(audit: StudyPlanAudit): Map<number, Chip> {
  type Known = Chip & { counts: CoursePlace[]; could: CoursePlace[] }
  const chips = new Map<number, Known>()
  const set = (course: Chip['course'], more: Partial<Known> = {}): Known => {
    const known = { ...(chips.get(course.id) ?? { course, counts: [], could: [], taken: false }), ...more }
    chips.set(course.id, known)
    return known
  }
  for (const group of audit.groups)
    for (const one of group.courses) {
      set(one.course, { plan: one })
      const by = one.satisfied_by
      // An equal course that satisfies it is a course of its own.
      if (by)
        set(by.course.id === one.course.id ? one.course : { credit_hours: one.course.credit_hours, ...by.course }, {
          letter: by.letter,
          term: by.term,
          taken: true,
        })
    }
  for (const [i, term] of audit.way.terms.entries()) for (const course of term) set(course, { planned: i + 1 })
  for (const one of audit.requested) set(one.course, { requested: one.term })
  for (const one of audit.other) set(one.course, { letter: one.letter, term: one.term, taken: true })
  for (const one of everyOf(audit.requirements)) {
    for (const { course } of one.courses) {
      const chip = set(course, { taken: true })
      if (one.kind === 'courses') chip.counts.push(one)
    }
    for (const course of one.could) set(course).could.push(one)
    for (const { course } of one.listed) set(course)
  }
  return chips
}

function AuditOf({ audit, id }: { audit: StudyPlanAudit; id: number | undefined }) {
  const t = useT('degree-audit')
  const lang = useLanguage()
  const [course, setCourse] = useState<number | null>(null)
  const [decision, setDecision] = useState<PlanDecision | null>(null)
  const chips = useMemo(() => chipsOf(audit), [audit])
  const sections = useMemo(() => sectionsOf(audit.requirements), [audit])
  const decides = id !== undefined && !audit.what_if && may('grant_exception')
  const groups = new Map(
    audit.groups.map((group) => [group.kind === 'elective' ? `plan.pool.${group.id}` : `plan.${group.kind}`, group]),
  )
  const seen: Seen = {
    chipOf: (one) => chips.get(one),
    offered: (key) => {
      const group = groups.get(key)
      if (!group || group.whole) return []
      return group.courses
        .filter((one) => one.state === 'missing')
        .toSorted((a, b) => Number(b.open) - Number(a.open))
        .map((one) => one.course.id)
    },
    onCourse: setCourse,
    why: (exception) => audit.exceptions.find((one) => one.id === exception)?.reason,
    onWaive: decides ? (one) => setDecision({ kind: 'waive', requirement: one }) : undefined,
  }
  const bare = audit.groups.every((group) => group.courses.length === 0)
  return (
    <>
      <Whole audit={audit} />
      {sections.length > 0 ? (
        <Rail sections={sections} seen={seen} />
      ) : (
        !(bare && audit.other.length > 0) && <Empty title={t('nothing_asked')} />
      )}
      <Way audit={audit} chips={chips} onCourse={setCourse} />
      {audit.other.length > 0 && (
        <Card title={t(bare ? 'free_courses' : 'outside')} text={t(bare ? 'free_courses_text' : 'outside_text')}>
          <ul className={css.chips}>
            {audit.other.map((one) => (
              <li key={one.course.id}>
                <CourseChip
                  chip={chips.get(one.course.id)}
                  course={one.course}
                  state={one.state}
                  onOpen={() => setCourse(one.course.id)}
                />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {id !== undefined ? (
        <Decided id={id} requirements={audit.requirements} decides={decides} />
      ) : (
        audit.exceptions.length > 0 && (
          <Card title={t('decided')}>
            <ul className={css.decided}>
              {audit.exceptions.map((one) => (
                <li key={one.id}>
                  <span>
                    <bdi>{nameAt(audit.requirements, one.key, lang)}</bdi>{' '}
                    <span className={css.dim}>{t(`decision_${one.kind}`)}</span>
                  </span>
                  <span dir="auto">{one.reason}</span>
                </li>
              ))}
            </ul>
          </Card>
        )
      )}
      {course !== null && chips.get(course) && (
        <Course
          chip={chips.get(course)!}
          onClose={() => setCourse(null)}
          {...(decides && {
            onDecide: (kind: 'settle' | 'substitute') => {
              setDecision({ kind, course: chips.get(course)! })
              setCourse(null)
            },
          })}
        />
      )}
      {decision && id !== undefined && (
        <Decide id={id} decision={decision} requirements={audit.requirements} onClose={() => setDecision(null)} />
      )}
    </>
  )
}

/** Name of a requirement by its key; the key where there is none any more. */
const nameAt = (root: AuditedRequirement, key: string, lang: Parameters<typeof nameOf>[1]): string => {
  for (const one of everyOf(root)) if (one.key === key) return nameOf(one, lang)
  return key
}

/** One bar for the whole, and the figures that decide. */
function Whole({ audit }: { audit: StudyPlanAudit }) {
  const t = useT('students')
  const say = useT('degree-audit')
  const lang = useLanguage()
  const { hours, percent } = audit
  const bare = audit.groups.every((group) => group.courses.length === 0)
  // Why the figure is another than that of the record, where it is.
  const outside = bare
    ? 0
    : sumDecimals(audit.other.map((one) => (one.state === 'passed' ? one.course.credit_hours : 0)))
  const notes = [
    hours.since > 0 && t('hours_since', { finished: sumDecimals([hours.earned, -hours.since]), since: hours.since }),
    outside > 0 && t('hours_outside', { count: outside }),
  ].filter(Boolean)
  const running = hours.required > 0 ? Math.min(100 - percent, (100 * hours.in_progress) / hours.required) : 0
  return (
    <Card
      title={<bdi>{nameOf(audit.program, lang)}</bdi>}
      aside={
        audit.what_if ? (
          <Status is="supposed" label={say('what_if_shown', { bylaw: nameOf(audit.bylaw, lang) })} />
        ) : audit.complete ? (
          <Status is="met" label={t('plan_complete')} />
        ) : (
          <Status is="in_progress" label={t('plan_open')} />
        )
      }
    >
      <Stack>
        <div className={css.whole}>
          <span className={css.percent}>{formatPercent(percent / 100, 0, lang)}</span>
          <div
            className={css.wholeTrack}
            role="meter"
            aria-label={say('whole')}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={percent}
          >
            <span className={css.earned} style={{ inlineSize: `${percent}%` }} />
            <span className={css.running} style={{ inlineSize: `${running}%` }} />
          </div>
          <span className={css.legend}>
            <Status is="met" label={say('chip_passed')} />
            <Status is="in_progress" label={say('chip_in_progress')} />
            <Status is="missing" label={say('chip_missing')} />
          </span>
          {!audit.proved && <span className={css.dim}>{say('not_proved')}</span>}
        </div>
        <div className={students.amounts}>
          {/* By marks a degree asks for neither hours nor a GPA. */}
          {hours.required > 0 && (
            <Amount
              label={t('hours')}
              earned={hours.earned}
              since={hours.since}
              running={hours.in_progress}
              required={hours.required}
              note={notes.length > 0 && notes.join(' ')}
            />
          )}
          {Number(audit.gpa.required) > 0 && (
            <div className={students.amount}>
              <div className={students.amountHead}>
                <span>{t('cumulative_gpa')}</span>
                <Status
                  is={audit.gpa.state === 'met' ? 'met' : 'unmet'}
                  label={t(
                    audit.gpa.state === 'met' ? 'state_met' : audit.gpa.actual === null ? 'no_gpa' : 'state_missing',
                  )}
                />
              </div>
              <span>
                <Code>{formatNumber(audit.gpa.actual, 2) || '–'}</Code>{' '}
                <span className={css.dim}>{t('gpa_required', { gpa: formatNumber(audit.gpa.required, 2) })}</span>
              </span>
            </div>
          )}
          {audit.training.required > 0 && (
            <Amount label={t('training_weeks')} earned={audit.training.earned} required={audit.training.required} />
          )}
        </div>
      </Stack>
    </Card>
  )
}

/** What is still to be taken, term by term, within load and prerequisites. */
function Way({
  audit: { way, requirements },
  chips,
  onCourse,
}: {
  audit: StudyPlanAudit
  chips: ReadonlyMap<number, Chip>
  onCourse: (id: number) => void
}) {
  const t = useT('degree-audit')
  const lang = useLanguage()
  if (!way.terms.length && !way.open.length) return null
  const open = formatList(way.open.map((key) => nameAt(requirements, key, lang)))
  return (
    <Card
      title={t('way')}
      text={
        way.terms.length > 0 &&
        (way.proved
          ? t('way_terms', { count: way.terms.length })
          : t('way_terms_least', { count: way.terms.length, least: way.at_least }))
      }
    >
      <Stack>
        {way.terms.length > 0 && (
          <ol className={css.terms}>
            {way.terms.map((courses, i) => (
              <li key={i} aria-label={t('nth_term', { n: i + 1 })}>
                <span className={css.wayTerm}>
                  <span>{t('nth_term', { n: i + 1 })}</span>
                  <span className={css.dim}>
                    {formatNumber(sumDecimals(courses.map((one) => one.credit_hours)))} {t('in_hours')}
                  </span>
                </span>
                <ul className={css.chips}>
                  {courses.map((course) => (
                    <li key={course.id}>
                      <CourseChip
                        chip={chips.get(course.id)}
                        course={course}
                        state="planned"
                        onOpen={() => onCourse(course.id)}
                      />
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ol>
        )}
        {way.open.length > 0 && <p className={css.note}>{t('way_open', { names: open })}</p>}
      </Stack>
    </Card>
  )
}

/** Requirements in order of what is missing; on a phone one a screen width. Met ones are shown when asked for. */
function Rail({ sections, seen }: { sections: readonly AuditedRequirement[]; seen: Seen }) {
  const t = useT('degree-audit')
  const lang = useLanguage()
  const rail = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  const [all, setAll] = useState(false)
  const open = sections.filter((one) => one.state !== 'met')
  const shown = all || open.length === 0 ? sections : open
  const met = sections.length - open.length
  const [height, setHeight] = useState<number | null>(null)
  // On a phone the rail is as tall as the card that is looked at, not as the tallest of all.
  useEffect(() => {
    const card = rail.current?.children[at]
    if (!(card instanceof HTMLElement)) return
    const watch = new ResizeObserver(() => setHeight(card.offsetHeight))
    watch.observe(card)
    return () => watch.disconnect()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps -- other cards stand there then
  }, [at, shown.length])
  const go = (to: number) => rail.current?.children[to]?.scrollIntoView({ block: 'nearest', inline: 'start' })
  const sign = directionOf(lang) === 'rtl' ? -1 : 1
  return (
    <section className={css.railBox} aria-label={t('requirements')}>
      <div className={css.railHead}>
        <h2>{t('requirements')}</h2>
        <span className={css.steps}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            disabled={at === 0}
            aria-label={t('previous')}
            onClick={() => go(at - 1)}
          >
            <IconChevronLeft size={20} className="pointing" aria-hidden />
          </ActionIcon>
          <span aria-live="polite">{t('nth_of', { n: Math.min(at + 1, shown.length), of: shown.length })}</span>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            disabled={at >= shown.length - 1}
            aria-label={t('next')}
            onClick={() => go(at + 1)}
          >
            <IconChevronRight size={20} className="pointing" aria-hidden />
          </ActionIcon>
        </span>
        {met > 0 && open.length > 0 && (
          <Button size="compact-sm" variant="subtle" aria-pressed={all} onClick={() => setAll(!all)}>
            {all ? t('hide_met') : t('show_met', { count: met })}
          </Button>
        )}
      </div>
      <div
        className={css.rail}
        ref={rail}
        style={height === null ? {} : ({ '--card': `${height}px` } as CSSProperties)}
        role="group"
        aria-label={t('requirements')}
        onScroll={(event) => {
          const { scrollLeft, clientWidth } = event.currentTarget
          setAt(Math.round((scrollLeft * sign) / Math.max(1, clientWidth)))
        }}
      >
        {shown.map((one) => (
          <RequirementCard key={one.key} one={one} seen={seen} />
        ))}
      </div>
    </section>
  )
}
