import { sumDecimals } from '#areas/study/catalogue/decimal.rules.ts'
import { Button, Collapse, Menu, Select, Skeleton, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCalendarWeek, IconCheck, IconChecklist, IconFileText, IconPrinter, IconSearch } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { download, refresh, useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent } from '#kit/web/auth/index.ts'
import { Bdi, Code, Empty, Failed, Name, Status, notify, useShortcut, withOverlay } from '#kit/web/feedback/index.ts'
import {
  fold,
  formatAgo,
  formatInstant,
  formatNumber,
  nameOf,
  paperLanguageOf,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Link, screenAt, to, useSearchParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { Timetable } from '#kit/web/timetable/timetable.tsx'
import type { Override } from '../registration.rules.ts'
import {
  changeCalls,
  requestCalls,
  type Available,
  type AvailableOffering,
  type Requested,
} from '../requests/request.contract.ts'
import { recordCalls } from '../records/registration.contract.ts'
import { paperCalls } from '../records/papers.contract.ts'
import { againstAll } from './against.rules.ts'
import { busyWeek, loadOfChoices, weekEvents, type Choices } from './choice.web.ts'
import css from './desk.module.css'

/** By marks alone: fetched by who studies so. */
const OwnBlock = part(async () => (await import('../block/own-block.web.tsx')).OwnBlock)
import { OfferingCard } from './offering-card.web.tsx'
import { AgainstAll, LoadBar, Reasons } from './parts.web.tsx'
import { RegistrationRow, WaitingRow } from './registration-row.web.tsx'

const Audit = part(async () => (await import('./audit.web.tsx')).default)

/** Seats move while people choose: asked again as long as the screen is looked at. */
const SEATS_EVERY = 15_000

/**
 * Registration of one student in one term, on one screen: what is taken of what may be taken, the windows, the week as
 * it will be, what is registered and asked for, and what can still be had. Without `studentId` it is the reader's own.
 */
export function Desk({ studentId }: { studentId: number | null }) {
  const t = useT('registration')
  const lang = useLanguage()
  const client = useQueryClient()
  const [query, setQuery] = useSearchParams()
  const phone = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false })
  const own = studentId === null
  const termId = /^[1-9]\d{0,8}$/.test(query.get('term') ?? '') ? Number(query.get('term')) : undefined
  const inTerm = termId === undefined ? {} : { term_id: termId }
  const live = { refetchInterval: SEATS_EVERY }
  const mine = { query: inTerm }
  const theirs = { params: { id: studentId ?? 0 }, query: inTerm }
  const ownRequested = useCall(requestCalls.requested, mine, { enabled: own, ...live })
  const itsRequested = useCall(requestCalls.requestedOf, theirs, { enabled: !own, ...live })
  const ownAvailable = useCall(requestCalls.available, mine, { enabled: own, ...live })
  const itsAvailable = useCall(requestCalls.availableTo, theirs, { enabled: !own, ...live })
  const requestedQuery = own ? ownRequested : itsRequested
  const availableQuery = own ? ownAvailable : itsAvailable
  const requested: Requested | undefined = requestedQuery.data?.data
  const available: Available | undefined = availableQuery.data?.data
  const student = requested?.student

  const { send } = useChange()
  const [choices, setChoices] = useState<Choices>({})
  const [refusal, setRefusal] = useState<unknown>(null)
  const [busyAsking, setAsking] = useState(false)
  const [overQuota, setOverQuota] = useState(false)
  const [showWeek, setShowWeek] = useState(false)
  const [search, setSearch] = useState('')
  const offerings = useMemo(() => available?.offerings ?? [], [available])

  const may = (ability: string) => requested?.abilities.includes(ability) ?? false
  const windowOpen = (code: string) => requested?.stages.some((stage) => stage.code === code && stage.open) ?? false
  // The way in that the windows give; staff who enrol need none.
  const way: 'request' | 'add' | 'enroll' | null =
    may('request') && windowOpen('register')
      ? 'request'
      : may('add') && windowOpen('add_drop')
        ? 'add'
        : may('enroll')
          ? 'enroll'
          : may('request')
            ? 'request'
            : null

  const choose = (offering: AvailableOffering, slots: readonly number[] | null) => {
    setRefusal(null)
    setChoices(({ [offering.id]: _old, ...rest }) => (slots === null ? rest : { ...rest, [offering.id]: slots }))
  }
  const asked = offerings.filter((one) => choices[one.id])
  const added = loadOfChoices(offerings, choices)
  const refreshAll = () => refresh(client, '/registrations', '/advisors')
  // Paid, or held: the open page says so at once.
  useEvent('holds', () => void refreshAll())

  const ask = async (overrides: Override[] = []) => {
    if (!asked.length || busyAsking || way === null) return
    setAsking(true)
    const body = {
      ...(own ? {} : { student_id: studentId }),
      offerings: asked.map((one) => ({
        offering_id: one.id,
        offering_slot_ids: [...choices[one.id]!],
        improve: one.refusals.some((reason) => reason.code === 'already_passed'),
      })),
      overrides,
      over_quota: overQuota,
    }
    try {
      if (way === 'add') await send(requestCalls.addDrop, { body: { ...body, action: 'add' as const } })
      else await send(requestCalls.request, { body: { ...body, enroll: way === 'enroll' } })
      setChoices({})
      setRefusal(null)
      notify.done(t(way === 'enroll' ? 'enrolled_done' : 'requested_done', { count: asked.length }))
    } catch (error) {
      setRefusal(error)
      const choice = document.getElementById('registration-choice')
      choice?.scrollIntoView({ block: 'nearest' })
      // The button that was pressed could not keep the focus while it waited.
      choice?.focus({ preventScroll: true })
    } finally {
      setAsking(false)
      void refreshAll()
    }
  }
  /** Opens the card of an offering that was asked for, where another group can be chosen. */
  const showGroups = (place: number) => {
    const offering = asked[place]
    const head = offering && document.querySelector<HTMLElement>(`#offering-${offering.id} [aria-expanded]`)
    if (!head) return
    if (head.getAttribute('aria-expanded') === 'false') head.click()
    head.scrollIntoView({ block: 'center' })
    head.focus({ preventScroll: true })
  }
  const acceptAll = async () => {
    if (studentId === null) return
    try {
      const { done, failed } = await send(changeCalls.acceptAll, { body: { student_id: studentId, ...inTerm } })
      if (done.length) notify.done(t('accepted_done', { count: done.length }))
      notify.failed(failed)
    } catch (error) {
      notify.error(error)
    }
    void refreshAll()
  }
  const waitingForMe = requested?.registrations.filter((row) => row.abilities.includes('accept')) ?? []
  useShortcut('a', () => void acceptAll(), !own && waitingForMe.length ? t('accept_all') : null)
  useShortcut('mod+enter', () => void ask(), asked.length ? t('send_request') : null)

  const words = {
    place: (slot: AvailableOffering['slots'][number]) =>
      slot.location?.code ?? (slot.location ? nameOf(slot.location, lang) : null),
    choice: t('not_requested_yet'),
    clash: (codes: string) => t('clashes_with', { courses: codes }),
  }
  const events = requested && available ? weekEvents(requested, offerings, choices, words) : undefined
  const busy = busyWeek(requested, offerings, choices)

  if (requestedQuery.error && !requested) {
    return (
      <Page title={own ? t('my_registration') : null}>
        <Failed error={requestedQuery.error} retry={() => void requestedQuery.refetch()} />
      </Page>
    )
  }
  const title = own ? t('my_registration') : (student ?? null)
  const load = requested?.load
  if (!requested) {
    // How high its parts will be depends on the student: they come all at once.
    return (
      <Page
        title={title}
        subtitle={'\u00A0'}
        facts={[
          { label: t('gpa'), value: '–' },
          { label: t('level'), value: '–' },
        ]}
      >
        <Skeleton height="100vh" />
      </Page>
    )
  }
  const week = (
    <section className={css.week} aria-label={t('week')}>
      <Timetable
        title={student ? nameOf(student, lang) : t('week')}
        note={requested?.term ? nameOf(requested.term, lang) : undefined}
        events={events}
        empty={
          <Empty
            icon={<IconCalendarWeek size={28} stroke={1.4} />}
            title={t('week_empty')}
            text={t('week_empty_text')}
          />
        }
        noNow
        dayWidth={84}
      />
    </section>
  )
  const glance = (
    <div className={css.glance}>
      {load?.by_marks ? null : load ? (
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
      ) : (
        <Skeleton height={54} />
      )}
      <Windows stages={requested?.stages} />
      <TermChoice
        studentId={studentId ?? student?.id ?? null}
        current={requested?.term ?? null}
        onChange={(id) => setQuery(id === null ? {} : { term: String(id) })}
      />
    </div>
  )
  const found = offerings.filter((one) => matches(one, search))
  // What is passed already is seldom wanted: it stands at the end, folded away.
  const isPassed = (one: AvailableOffering) =>
    one.registration === null && !choices[one.id] && one.refusals.some((reason) => reason.code === 'already_passed')
  const groups = groupByPlan(found.filter((one) => !isPassed(one)))
  const passed = found.filter(isPassed)
  const card = (one: AvailableOffering) => (
    <OfferingCard
      key={one.id}
      offering={one}
      chosen={choices[one.id]}
      busy={busy}
      studentId={studentId}
      open={way !== null}
      overQuota={overQuota}
      mayOverride={may('override')}
      onChoose={(slots) => choose(one, slots)}
      onWaiting={refreshAll}
    />
  )
  return (
    <Page
      title={title}
      subtitle={
        student ? (
          <span className={css.subtitle}>
            {!own && (
              <>
                <Code>{student.code}</Code> · <Name row={student.program} /> ·{' '}
              </>
            )}
            {requested.term ? <Bdi>{nameOf(requested.term, lang)}</Bdi> : t('no_term')}
            {own && student.advisor && (
              <>
                {' · '}
                {t('labelled', { label: t('advisor') })} <Name row={student.advisor} />
              </>
            )}
          </span>
        ) : (
          '\u00A0'
        )
      }
      facts={
        load && !phone
          ? [
              ...(load.by_marks ? [] : [{ label: t('gpa'), value: <Code>{formatNumber(load.gpa, 2) || '–'}</Code> }]),
              { label: t('level'), value: <Code>{formatNumber(load.level)}</Code> },
              ...(load.warnings ? [{ label: t('warnings'), value: <Code>{formatNumber(load.warnings)}</Code> }] : []),
            ]
          : []
      }
      action={
        waitingForMe.length > 1 ? (
          <Button leftSection={<IconCheck size={16} aria-hidden />} onClick={() => void acceptAll()}>
            {t('accept_all_count', { count: waitingForMe.length })}
          </Button>
        ) : undefined
      }
      menu={
        student ? (
          <>
            <Menu.Item
              component={Link}
              leftSection={<IconChecklist size={15} />}
              to={own ? to('/offering/preflight') : to('/registration_preflight/:id', { id: student.id })}
            >
              {t('preflight')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconPrinter size={15} />}
              onClick={() =>
                void withOverlay(
                  download(paperCalls.form, {
                    params: { student_id: student.id, lang: paperLanguageOf() },
                    query: inTerm,
                  }),
                ).catch(notify.error)
              }
            >
              {t('print_form')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconFileText size={15} />}
              onClick={() =>
                void withOverlay(
                  download(paperCalls.audit, { params: { id: student.id }, body: { lang: paperLanguageOf() } }),
                ).catch(notify.error)
              }
            >
              {t('print_audit')}
            </Menu.Item>
            {!own && screenAt('/students/:id') && (
              <Menu.Item component={Link} to={to('/students/:id', { id: student.id })}>
                {t('open_student')}
              </Menu.Item>
            )}
          </>
        ) : undefined
      }
    >
      {phone ? (
        <details className={css.fold}>
          <summary>{load ? <Glance load={load} chosen={added.hours} stages={requested.stages} /> : '\u00A0'}</summary>
          {glance}
        </details>
      ) : (
        glance
      )}

      {load?.by_marks && requested.term && (
        <Suspense>
          <OwnBlock student_id={studentId} term_id={requested.term.id} />
        </Suspense>
      )}
      <div className={css.columns}>
        <div className={css.main}>
          <section className={css.panel} aria-labelledby="registration-mine">
            <header className={css.panelHead}>
              <h2 id="registration-mine">{t('my_courses')}</h2>
              {requested && requested.registrations.length > 0 && (
                <span className={css.dim}>{t('courses_count', { count: requested.registrations.length })}</span>
              )}
            </header>
            {!requested ? (
              <Skeleton height={84} />
            ) : requested.registrations.length || requested.waiting.length ? (
              <ul className={css.rows}>
                {requested.registrations.map((row) => (
                  <RegistrationRow
                    key={row.id}
                    row={row}
                    own={own}
                    studentId={student!.id}
                    offering={offerings.find((one) => one.id === row.offering_id)}
                    offerings={offerings}
                    waiting={requested.waiting.find((one) => one.gives_up?.registration_id === row.id)}
                    busy={busy}
                    mayOverride={may('override')}
                    onDone={refreshAll}
                  />
                ))}
                {requested.waiting.map((row) => (
                  <WaitingRow key={`w${row.id}`} row={row} answers={may('accept')} onDone={refreshAll} />
                ))}
              </ul>
            ) : (
              <Empty title={t('no_courses')} text={t(way ? 'no_courses_text' : 'no_courses_closed')} />
            )}
          </section>

          {asked.length > 0 && (
            <section
              className={css.choice}
              data-save-bar={phone || undefined}
              id="registration-choice"
              tabIndex={-1}
              aria-labelledby="registration-choice-title"
            >
              <header className={css.panelHead}>
                <h2 id="registration-choice-title">{t('chosen', { count: asked.length })}</h2>
                <span className={css.dim}>+ {t('hours', { count: added.hours })}</span>
              </header>
              {refusal !== null && (
                <Reasons
                  error={refusal}
                  studentId={studentId}
                  onSlots={showGroups}
                  onOverride={may('override') ? (overrides) => void ask(overrides) : undefined}
                />
              )}
              <ul className={css.chips}>
                {asked.map((one) => (
                  <li key={one.id}>
                    <Code>{one.course.code}</Code> <Name row={one.course} />
                    <button
                      type="button"
                      className={css.remove}
                      onClick={() => choose(one, null)}
                      aria-label={t('remove_choice', { name: one.course.code ?? '' })}
                    >
                      ×
                    </button>
                  </li>
                ))}
              </ul>
              <div className={css.choiceActions}>
                <Button loading={busyAsking} onClick={() => void ask()} disabled={way === null}>
                  {t(way === 'add' ? 'ask_to_add' : way === 'enroll' ? 'enroll_now' : 'send_request_count', {
                    count: asked.length,
                  })}
                </Button>
                <Button variant="default" onClick={() => setChoices({})}>
                  {t('clear_choice')}
                </Button>
                {may('over_quota') && (
                  <label className={css.check}>
                    <input
                      type="checkbox"
                      checked={overQuota}
                      onChange={(event) => setOverQuota(event.currentTarget.checked)}
                    />{' '}
                    {t('use_over_quota')}
                  </label>
                )}
              </div>
            </section>
          )}

          {phone && (
            <>
              <Button
                variant="default"
                fullWidth
                leftSection={<IconCalendarWeek size={16} aria-hidden />}
                onClick={() => setShowWeek(!showWeek)}
                aria-expanded={showWeek}
              >
                {t(showWeek ? 'hide_week' : 'show_week')}
              </Button>
              <Collapse expanded={showWeek}>{week}</Collapse>
            </>
          )}

          <section className={css.panel} aria-labelledby="registration-available">
            <header className={css.panelHead}>
              <h2 id="registration-available">{t('available')}</h2>
              <TextInput
                size="xs"
                className={css.search}
                leftSection={<IconSearch size={14} aria-hidden />}
                placeholder={t('search_courses')}
                aria-label={t('search_courses')}
                value={search}
                onChange={(event) => setSearch(event.currentTarget.value)}
              />
            </header>
            {availableQuery.error && !available ? (
              <Failed error={availableQuery.error} retry={() => void availableQuery.refetch()} />
            ) : !available ? (
              <Skeleton height={240} />
            ) : found.length === 0 ? (
              <Empty
                title={t(search ? 'nothing_found' : 'nothing_offered')}
                text={search ? undefined : t('nothing_offered_text')}
              />
            ) : (
              <>
                <AgainstAll reasons={againstAll(offerings)} studentId={studentId} />
                {groups.map((group) => (
                  <section key={group.key} className={css.semester}>
                    <h3>
                      {group.level === null
                        ? t('outside_plan')
                        : t('plan_place', { level: group.level, semester: group.semester ?? 0 })}
                    </h3>
                    {group.offerings.map(card)}
                  </section>
                ))}
                {passed.length > 0 && (
                  <details className={css.passed} open={search !== '' || undefined}>
                    <summary>{t('passed_section', { count: passed.length })}</summary>
                    {passed.map(card)}
                  </details>
                )}
              </>
            )}
          </section>
        </div>
        {!phone && (
          <aside className={css.side}>
            {week}
            {!own && student && (
              <Suspense fallback={<Skeleton height={160} />}>
                <Audit studentId={student.id} />
              </Suspense>
            )}
          </aside>
        )}
      </div>
      {!own && student && phone && (
        <Suspense fallback={null}>
          <Audit studentId={student.id} />
        </Suspense>
      )}
      <History studentId={student?.id ?? null} own={own} />
    </Page>
  )
}

const matches = (one: AvailableOffering, search: string): boolean => {
  const text = fold(
    [one.course.code, one.course.name, one.course.name_local, ...one.instructors.flatMap((i) => [i.name, i.name_local])]
      .filter(Boolean)
      .join(' '),
  )
  return fold(search)
    .split(' ')
    .every((word) => text.includes(word))
}

type PlanGroup = { key: string; level: number | null; semester: number | null; offerings: AvailableOffering[] }
/** By place in the study plan; what can be had stands before what cannot. */
function groupByPlan(offerings: readonly AvailableOffering[]): PlanGroup[] {
  const groups = Map.groupBy(offerings, (one) => (one.plan ? `${one.plan.level}/${one.plan.semester}` : ''))
  const rank = (one: AvailableOffering) => (one.registration ? 2 : one.refusals.length ? 1 : 0)
  return [...groups]
    .map(([key, list]) => ({
      key,
      level: list[0]!.plan?.level ?? null,
      semester: list[0]!.plan?.semester ?? null,
      offerings: list.toSorted((a, b) => rank(a) - rank(b)),
    }))
    .toSorted((a, b) => (a.level ?? 99) - (b.level ?? 99) || (a.semester ?? 99) - (b.semester ?? 99))
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
function Glance({
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
      {t('glance_hours', {
        hours: formatNumber(sumDecimals([load.hours, chosen])),
        limit: formatNumber(load.max_hours) || '–',
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

const Steps = part(async () => (await import('./steps.web.tsx')).default)
/** Every step so far, folded away until somebody asks. */
function History({ studentId, own }: { studentId: number | null; own: boolean }) {
  const t = useT('registration')
  const [open, setOpen] = useState(false)
  if (studentId === null) return null
  return (
    <section className={css.history}>
      <button type="button" className={css.historyHead} aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('history')}
      </button>
      {open && (
        <Suspense fallback={<Skeleton height={80} />}>
          <Steps call={recordCalls.studentSteps} id={studentId} own={own} />
        </Suspense>
      )}
    </section>
  )
}
