import { ActionIcon, Button, Menu, Select } from '@mantine/core'
import {
  IconArmchair,
  IconCheck,
  IconDoor,
  IconDots,
  IconLayoutGrid,
  IconListCheck,
  IconPrinter,
  IconTable,
  IconUserX,
} from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { ProgressJob, ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Problems, Status, act, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import {
  formatDate,
  formatInstant,
  formatNumber,
  nameOf,
  paperLanguageOf,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { hallName } from '../hall.rules.ts'
import { Held, HallPlan } from './hall-plan.web.tsx'
import { seatCalls, type ExamSeats, type PrintKind, type HallSitting } from './seats.contract.ts'
import css from '../exam-days.module.css'

const SEATS = '/exam-seats'

/** Seats of an exam: proposed, looked at day by day and hall by hall, taken, printed. */
export default function ExamSeatsScreen() {
  const t = useT('exam-days')
  const lang = useLanguage()
  const [address, setAddress] = useSearchParams()
  const { most, more } = useMost()
  const { data, error, refetch } = useCall(
    seatCalls.lookups,
    { query: { most } },
    { placeholderData: keepPreviousData },
  )
  const exams = data?.data
  const chosen = address.get('exam_id') ?? (exams?.[0] ? String(exams[0].id) : null)
  if (error && !exams) return <Failed error={error} retry={() => void refetch()} />
  if (exams && chosen)
    return (
      <Exam
        key={chosen}
        id={Number(chosen)}
        choose={
          <div className={css.choose}>
            <Select
              aria-label={t('exam')}
              searchable
              allowDeselect={false}
              data={exams.map((one) => ({
                value: String(one.id),
                label: `${one.code} · ${nameOf(one, lang)} (${nameOf(one.term, lang)})`,
              }))}
              value={chosen}
              onChange={(value) => value && setAddress({ exam_id: value }, { replace: true })}
            />
            <MoreRows shown={exams.length} total={data.total} onMore={more} />
          </div>
        }
      />
    )
  return (
    <Page title={t('seats')} subtitle={t('seats_text')}>
      {exams ? (
        <Empty
          icon={<IconArmchair size={28} stroke={1.5} aria-hidden />}
          title={t('no_exams')}
          text={t('no_exams_text')}
        />
      ) : (
        <Bone height={360} />
      )}
    </Page>
  )
}

/** What is done with the seats of an exam, and the jobs that are at it. */
function useSeats(id: number) {
  const t = useT('exam-days')
  const lang = paperLanguageOf()
  const { data, error, refetch } = useCall(seatCalls.show, { params: { id } })
  const [job, setJob] = useState<{ id: string; kind: 'seats' | 'lists' } | null>(null)
  const { busy, problem, go, send } = useChange(SEATS)
  const run = async (work: () => Promise<{ job_id: string | null }>) => {
    const done = await go(work)
    if (done?.answer.job_id) setJob({ id: done.answer.job_id, kind: 'seats' })
  }
  const working = job && (
    <ProgressJob
      id={job.id}
      label={t(job.kind === 'seats' ? 'propose_seats' : 'all_door_lists')}
      onDone={(result) => {
        setJob(null)
        if (job.kind === 'lists') window.location.assign((result as { url: string }).url)
        void refetch()
      }}
    />
  )
  return {
    data,
    error,
    refetch,
    busy,
    problem,
    working,
    propose: (only_missing: boolean) =>
      void run(() => send(seatCalls.assign, { params: { id }, body: { only_missing } })),
    take: (proposal: number) => void run(() => send(seatCalls.take, { params: { id: proposal }, body: {} })),
    discard: (proposal: number) =>
      void act({
        go: () => send(seatCalls.discard, { params: { id: proposal }, body: {} }),
        done: () => t('seats_discarded'),
      }),
    doorLists: () =>
      void go(async () => {
        const { job_id } = await send(seatCalls.doorLists, { params: { id }, body: { lang } })
        setJob({ id: job_id, kind: 'lists' })
      }),
  }
}

function Exam({ id, choose }: { readonly id: number; readonly choose: ReactNode }) {
  const t = useT('exam-days')
  const work = useSeats(id)
  const { data, error, refetch, busy } = work
  const [shown, setShown] = useState<number | null>(null)
  const print = usePrinting(id, refetch)
  const seats = data?.data
  const mayAssign = Boolean(data?.abilities.includes('assign'))
  const days = Map.groupBy(data?.sittings ?? [], (one) => one.date)
  // What is next: what was proposed is taken, then whoever lacks a seat gets one.
  const isPartly = Boolean(seats && seats.seated > 0 && seats.missing > 0)
  const isDone = Boolean(seats && seats.seated > 0 && !seats.missing)
  const main = !mayAssign ? null : seats?.proposal ? (
    <Button loading={busy} onClick={() => work.take(seats.proposal!.id)}>
      {t('take_seats')}
    </Button>
  ) : isDone ? null : (
    <Button loading={busy} onClick={() => work.propose(isPartly)}>
      {t(isPartly ? 'propose_missing' : 'propose_seats')}
    </Button>
  )
  const menu = [
    ...(mayAssign && (isPartly || isDone || seats?.proposal)
      ? [
          <Menu.Item
            key="anew"
            leftSection={<IconArmchair size={15} aria-hidden />}
            onClick={() => work.propose(false)}
          >
            {t('propose_anew')}
          </Menu.Item>,
        ]
      : []),
    ...(seats?.seated
      ? [
          <Menu.Item key="doors" leftSection={<IconDoor size={15} aria-hidden />} onClick={work.doorLists}>
            {t('all_door_lists')}
          </Menu.Item>,
        ]
      : []),
  ]
  return (
    <Page
      title={t('seats')}
      subtitle={
        <>
          {t('seats_text')}
          {seats && (
            <Status
              is={seats.missing ? 'waits' : 'done'}
              label={seats.missing ? t('without_seat', { count: seats.missing }) : t('all_seated')}
            />
          )}
        </>
      }
      facts={[
        { label: t('people'), value: seats ? formatNumber(seats.people) : '–' },
        { label: t('sittings'), value: seats ? formatNumber(seats.students) : '–' },
        { label: t('with_seat'), value: seats ? formatNumber(seats.seated) : '–' },
      ]}
      action={main}
      menu={menu.length ? menu : undefined}
    >
      <Stack>
        {choose}
        {error && !data ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !seats ? (
          <Bone height={320} />
        ) : (
          <>
            {work.problem !== null && <Problems error={work.problem} />}
            {work.working}
            {seats.proposal && <Proposal of={seats.proposal} onDiscard={mayAssign ? work.discard : null} />}
            <NotHeld of={seats} sittings={data.sittings} />
            <Outdated of={seats} />
            {days.size ? (
              <ScreenTabs
                name="day"
                keep={['exam_id']}
                tabs={[...days].map(([day, halls]) => ({
                  key: day,
                  label: formatDate(day, 'column'),
                  count: halls.length,
                  content: () => <Day exam={id} halls={halls} print={print} onShown={setShown} />,
                }))}
              />
            ) : (
              <Empty title={t('no_halls')} text={t('no_exams_text')} />
            )}
          </>
        )}
      </Stack>
      {shown !== null && <HallPlan id={shown} onClose={() => setShown(null)} print={(one) => print('plan', one.id)} />}
    </Page>
  )
}

/** Prints a list of a hall. */
function usePrinting(exam_id: number, refetch: () => Promise<unknown>) {
  const lang = paperLanguageOf()
  return (kind: 'door' | 'plan' | 'sheet' | 'xlsx', hall_id: number) => {
    const body = { exam_id, hall_id, lang }
    const file =
      kind === 'sheet'
        ? download(seatCalls.sheet, { body })
        : kind === 'xlsx'
          ? download(seatCalls.sheetExcel, { body })
          : download(seatCalls.print, { params: { kind }, body })
    // What is printed now is right again.
    void withOverlay(file)
      .then(() => refetch())
      .catch((refusal: unknown) => notify.error(refusal))
  }
}

interface DayProps {
  readonly exam: number
  readonly halls: readonly HallSitting[]
  readonly print: ReturnType<typeof usePrinting>
  readonly onShown: (hall: number) => void
}
/** The halls of a day, slot by slot. */
function Day({ exam, halls, print, onShown }: DayProps) {
  return [...Map.groupBy(halls, (one) => `${one.from}–${one.to}`)].map(([time, there]) => (
    <section key={time} className={css.slot}>
      <h2>
        <Code>{time}</Code>
      </h2>
      <ul className={css.cards}>
        {there.map((one) => (
          <HallCard key={one.id} exam={exam} of={one} print={print} onShown={() => onShown(one.id)} />
        ))}
      </ul>
    </section>
  ))
}

const LISTS = [
  ['door', 'door_list', IconDoor],
  ['sheet', 'attendance_sheet', IconListCheck],
  ['plan', 'print_plan', IconPrinter],
] as const

/** A hall at a time: what is written there, how full it is, what could not be held; its plan, and the rest in a menu. */
function HallCard({
  exam,
  of: one,
  print,
  onShown,
}: {
  readonly exam: number
  readonly of: HallSitting
  readonly print: ReturnType<typeof usePrinting>
  readonly onShown: () => void
}) {
  const t = useT('exam-days')
  const lang = useLanguage()
  const name = hallName(nameOf(one.hall, lang), one.hall.code)
  return (
    <li className={css.card}>
      <div className={css.line}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className={css.count}>
          {t('seats_of_planned', { seated: formatNumber(one.seated), seats: formatNumber(one.seats) })}
        </span>
      </div>
      {one.proposed > 0 && <Status is="waits" label={t('seats_proposed', { count: one.proposed })} />}
      {one.named.map((course) => (
        <p key={course.code} className={css.text}>
          <Code>{course.code}</Code> <bdi>{nameOf(course, lang)}</bdi>
        </p>
      ))}
      {one.alone && <p className={css.text}>{t('one_alone')}</p>}
      {one.extra > 0 && <p className={css.text}>{t('held_longer', { minutes: one.extra })}</p>}
      {one.reserve && one.reserve.wanted > 0 && (
        <p className={one.reserve.free < one.reserve.wanted ? css.warn : css.text}>
          {t('reserve_free', { free: formatNumber(one.reserve.free), wanted: formatNumber(one.reserve.wanted) })}
        </p>
      )}
      <Held of={one} />
      <div className={css.foot}>
        <Button
          variant="light"
          size="compact-sm"
          leftSection={<IconLayoutGrid size={14} aria-hidden />}
          aria-label={`${t('seating_plan')}: ${name}`}
          onClick={onShown}
        >
          {t('seating_plan')}
        </Button>
        {/* Of a hall where nobody sits there are no lists. */}
        {one.seated > 0 && (
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size={32} aria-label={t('lists_of', { hall: name })}>
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {LISTS.map(([kind, key, Icon]) => (
                <Menu.Item
                  key={kind}
                  leftSection={<Icon size={15} aria-hidden />}
                  rightSection={<Printed of={one} kind={kind} />}
                  onClick={() => print(kind, one.id)}
                >
                  {t(key)}
                </Menu.Item>
              ))}
              <Menu.Item leftSection={<IconTable size={15} aria-hidden />} onClick={() => print('xlsx', one.id)}>
                {t('attendance_sheet')} XLSX
              </Menu.Item>
              {may('edit_examAbsence') && (
                <Menu.Item
                  component={Link}
                  to={`${to('/exams_absences/hall', {})}?exam_id=${exam}&hall=${one.id}`}
                  leftSection={<IconUserX size={15} aria-hidden />}
                >
                  {t('record_hall')}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
    </li>
  )
}

/** A tick says that what was printed is still right. */
function Printed({ of, kind }: { readonly of: HallSitting; readonly kind: PrintKind }) {
  const t = useT('exam-days')
  return of.seated > 0 && of.printed.includes(kind) ? <IconCheck size={14} aria-label={t('printed')} /> : null
}

/** What was proposed and is not taken yet. */
function Proposal({
  of,
  onDiscard,
}: {
  readonly of: NonNullable<ExamSeats['proposal']>
  readonly onDiscard: ((proposal: number) => void) | null
}) {
  const t = useT('exam-days')
  return (
    <Card
      title={t('seats_proposed', { count: of.seated })}
      aside={
        onDiscard && (
          <Button variant="default" size="compact-sm" onClick={() => onDiscard(of.id)}>
            {t('discard_seats')}
          </Button>
        )
      }
    >
      <p className={css.text}>{t(of.only_missing ? 'proposed_missing_text' : 'proposed_all_text')}</p>
      {of.unseated.length > 0 && (
        <ul className={css.lost}>
          {of.unseated.map((one) => (
            <li key={one.course.id} className={css.warn}>
              {t('course_unseated', { course: nameOf(one.course), count: one.count })}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** What could not be held: halls with one exam only, neighbours who write the same, halls that are gone or in which it is taught. */
function NotHeld({
  of: { lost, taught, hurried },
  sittings,
}: {
  readonly of: ExamSeats
  readonly sittings: readonly HallSitting[]
}) {
  const t = useT('exam-days')
  const seated = sittings.filter((one) => one.seated + one.proposed > 1)
  const alone = seated.filter((one) => one.courses.length < 2 && !one.alone).length
  const pairs = seated.reduce((sum, one) => sum + one.same, 0)
  if (!alone && !pairs && !lost.length && !taught.length && !hurried) return null
  return (
    <Card title={t('not_held')}>
      <ul className={css.lost}>
        {alone > 0 && (
          <li className={css.warn}>{t('halls_alone', { count: alone, of: formatNumber(seated.length) })}</li>
        )}
        {pairs > 0 && <li className={css.warn}>{t('same_pairs', { count: pairs })}</li>}
        {hurried > 0 && <li className={css.warn}>{t('hurried_students', { count: hurried })}</li>}
        {taught.map((one) => (
          <li key={`${one.course.id} ${one.hall.id} ${one.meeting}`} className={css.warn}>
            {t('hall_taught', {
              hall: one.hall.code ?? '',
              course: one.course.code ?? '',
              meeting: one.meeting,
              date: formatDate(one.date),
            })}
          </li>
        ))}
        {lost.map((one) => (
          <li key={`${one.course.id} ${one.hall.id}`} className={css.warn}>
            {t('hall_lost', { hall: nameOf(one.hall), course: nameOf(one.course), date: formatDate(one.date) })}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const PRINTS = { door: 'door_list', plan: 'seating_plan', sheet: 'attendance_sheet' } as const
/** Lists that hang somewhere and are not right any more. */
function Outdated({ of: { outdated } }: { readonly of: ExamSeats }) {
  const t = useT('exam-days')
  const lang = useLanguage()
  if (!outdated.length) return null
  return (
    <div role="status">
      <Card title={t('lists_outdated', { count: outdated.length })}>
        <ul className={css.lost}>
          {outdated.map((one) => (
            <li key={`${one.course.id} ${one.hall.id} ${one.kind}`} className={css.warn}>
              {t('list_outdated', {
                list: t(PRINTS[one.kind]),
                hall: hallName(nameOf(one.hall, lang), one.hall.code),
                course: nameOf(one.course),
                when: formatInstant(one.printed_at, lang),
              })}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}
