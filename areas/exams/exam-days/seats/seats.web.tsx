/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- the keyboard reaches what scrolls */
import { Button, Select } from '@mantine/core'
import {
  IconArmchair,
  IconCheck,
  IconDoor,
  IconLayoutGrid,
  IconListCheck,
  IconTable,
  IconUserX,
} from '@tabler/icons-react'
import { useState } from 'react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { ProgressJob } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Name, Problems, Status, act, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
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
import { seatCalls, type ExamSeats, type PrintKind, type HallSitting } from './seats.contract.ts'
import css from '../exam-days.module.css'

const SEATS = '/exam-seats'

/** Seats of an exam: proposed, looked at hall by hall, taken, printed. */
export default function ExamSeatsScreen() {
  const t = useT('exam-days')
  const lang = useLanguage()
  const [address, setAddress] = useSearchParams()
  const { data, error, refetch } = useCall(seatCalls.lookups)
  const exams = data?.data
  const chosen = address.get('exam_id') ?? (exams?.[0] ? String(exams[0].id) : null)
  if (error && !exams) return <Failed error={error} retry={() => void refetch()} />
  return (
    <Page title={t('seats')} subtitle={t('seats_text')}>
      {!exams ? (
        <Bone height={360} />
      ) : !exams.length ? (
        <Empty
          icon={<IconArmchair size={28} stroke={1.5} aria-hidden />}
          title={t('no_exams')}
          text={t('no_exams_text')}
        />
      ) : (
        <Stack>
          <Card>
            <Select
              label={t('exam')}
              searchable
              allowDeselect={false}
              data={exams.map((one) => ({
                value: String(one.id),
                label: `${one.code} · ${nameOf(one, lang)} (${nameOf(one.term, lang)})`,
              }))}
              value={chosen}
              onChange={(value) => value && setAddress({ exam_id: value }, { replace: true })}
            />
          </Card>
          {chosen && <Exam key={chosen} id={Number(chosen)} />}
        </Stack>
      )}
    </Page>
  )
}

function Exam({ id }: { id: number }) {
  const t = useT('exam-days')
  const { data, error, refetch } = useCall(seatCalls.show, { params: { id } })
  const [job, setJob] = useState<string | null>(null)
  const [lists, setLists] = useState<string | null>(null)
  const [shown, setShown] = useState<number | null>(null)
  const { busy, problem, go, send } = useChange(SEATS)
  const lang = paperLanguageOf()
  const print = usePrinting(id, refetch)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={320} />
  const { data: seats, sittings, abilities } = data
  const run = async (work: () => Promise<{ job_id: string | null }>) => {
    const done = await go(work)
    if (done?.answer.job_id) setJob(done.answer.job_id)
  }
  const propose = (only_missing: boolean) =>
    void run(() => send(seatCalls.assign, { params: { id }, body: { only_missing } }))
  return (
    <>
      <Card
        title={<Name row={seats.exam} />}
        aside={
          <Status
            is={seats.missing ? 'waits' : 'done'}
            label={seats.missing ? t('without_seat', { count: seats.missing }) : t('all_seated')}
          />
        }
      >
        <p className={css.text}>
          {t('seats_counted', { seated: formatNumber(seats.seated), students: formatNumber(seats.students) })}
        </p>
        <Lost of={seats} />
        <Outdated of={seats} />
        {seats.proposal && (
          <Proposal of={seats.proposal} mayTake={abilities.includes('assign')} busy={busy} run={run} send={send} />
        )}
        <div className={css.buttons}>
          {abilities.includes('assign') && (
            <>
              <Button
                variant={seats.seated || seats.proposal ? 'default' : 'filled'}
                loading={busy}
                onClick={() => propose(false)}
              >
                {t('propose_seats')}
              </Button>
              {seats.seated > 0 && seats.missing > 0 && (
                <Button loading={busy} onClick={() => propose(true)}>
                  {t('propose_missing')}
                </Button>
              )}
            </>
          )}
          {seats.seated > 0 && (
            <Button
              variant="default"
              leftSection={<IconDoor size={16} aria-hidden />}
              onClick={() =>
                void go(async () => {
                  const { job_id } = await send(seatCalls.doorLists, { params: { id }, body: { lang } })
                  setLists(job_id)
                })
              }
            >
              {t('all_door_lists')}
            </Button>
          )}
        </div>
        {problem !== null && <Problems error={problem} />}
        {job && (
          <ProgressJob
            id={job}
            label={t('propose_seats')}
            onDone={() => {
              setJob(null)
              void refetch()
            }}
          />
        )}
        {lists && (
          <ProgressJob
            id={lists}
            label={t('all_door_lists')}
            onDone={(result) => {
              setLists(null)
              window.location.assign((result as { url: string }).url)
              void refetch()
            }}
          />
        )}
      </Card>
      <Card title={t('halls')}>
        {!sittings.length && <p className={css.text}>{t('no_halls')}</p>}
        <ul className={css.halls}>
          {sittings.map((sitting) => (
            <HallLine key={sitting.id} exam={id} of={sitting} print={print} onShown={() => setShown(sitting.id)} />
          ))}
        </ul>
      </Card>
      {shown !== null && <Hall id={shown} onClose={() => setShown(null)} print={(one) => print('plan', one.id)} />}
    </>
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

/** What was proposed and is not taken yet. */
function Proposal({
  of,
  mayTake,
  busy,
  run,
  send,
}: {
  of: NonNullable<ExamSeats['proposal']>
  mayTake: boolean
  busy: boolean
  run: (work: () => Promise<{ job_id: string | null }>) => Promise<void>
  send: ReturnType<typeof useChange>['send']
}) {
  const t = useT('exam-days')
  return (
    <div className={css.proposal}>
      <p className={css.text}>
        {t('seats_proposed', { count: of.seated })}
        {of.unseated.map((one) => (
          <span key={one.course.id} className={css.warn}>
            {' '}
            {t('course_unseated', { course: one.course.code ?? '', count: one.count })}
          </span>
        ))}
      </p>
      {mayTake && (
        <div className={css.buttons}>
          <Button
            loading={busy}
            onClick={() => void run(() => send(seatCalls.take, { params: { id: of.id }, body: {} }))}
          >
            {t('take_seats')}
          </Button>
          <Button
            variant="default"
            onClick={() =>
              void act({
                go: () => send(seatCalls.discard, { params: { id: of.id }, body: {} }),
                done: () => t('seats_discarded'),
              })
            }
          >
            {t('discard_seats')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** A hall of the exam, with its lists. */
function HallLine({
  exam: id,
  of: one,
  print,
  onShown,
}: {
  exam: number
  of: HallSitting
  print: ReturnType<typeof usePrinting>
  onShown: () => void
}) {
  const t = useT('exam-days')
  const language = useLanguage()
  return (
    <li>
      <span className={css.hall}>
        <bdi>{hallName(nameOf(one.hall, language), one.hall.code)}</bdi>
        <small>
          {formatDate(one.date)} <Code>{`${one.from}–${one.to}`}</Code> · <Code>{one.courses.join(' · ')}</Code>
        </small>
      </span>
      <Code>{`${formatNumber(one.seated)} / ${formatNumber(one.seats)}`}</Code>
      <span className={css.buttons}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconLayoutGrid size={14} aria-hidden />}
          onClick={() => onShown()}
        >
          {t('seating_plan')}
        </Button>
        <PrintButton of={one} kind="door" onClick={() => print('door', one.id)}>
          {t('door_list')}
        </PrintButton>
        <PrintButton of={one} kind="sheet" onClick={() => print('sheet', one.id)}>
          {t('attendance_sheet')}
        </PrintButton>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconTable size={14} aria-hidden />}
          disabled={!one.seated}
          aria-label={`${t('attendance_sheet')} XLSX`}
          onClick={() => print('xlsx', one.id)}
        >
          XLSX
        </Button>
        {may('edit_examAbsence') && (
          <Button
            component={Link}
            to={`${to('/exams_absences/hall', {})}?exam_id=${id}&hall=${one.id}`}
            variant="subtle"
            size="compact-sm"
            leftSection={<IconUserX size={14} aria-hidden />}
            data-disabled={!one.seated || undefined}
          >
            {t('absences')}
          </Button>
        )}
      </span>
    </li>
  )
}

const PRINT_ICONS = { door: IconDoor, sheet: IconListCheck, plan: IconLayoutGrid }
/** Prints a list of a hall; a tick says that what was printed is still right. */
function PrintButton({
  of,
  kind,
  onClick,
  children,
}: {
  of: HallSitting
  kind: PrintKind
  onClick: () => void
  children: string
}) {
  const t = useT('exam-days')
  const Icon = PRINT_ICONS[kind]
  const isPrinted = of.seated > 0 && of.printed.includes(kind)
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<Icon size={14} aria-hidden />}
      rightSection={isPrinted ? <IconCheck size={14} aria-label={t('printed')} /> : undefined}
      disabled={!of.seated}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}

/** Lists that hang somewhere and are not right any more. */
function Outdated({ of: { outdated } }: { of: ExamSeats }) {
  const t = useT('exam-days')
  const lang = useLanguage()
  if (!outdated.length) return null
  return (
    <div role="status">
      <p className={css.warn}>{t('lists_outdated', { count: outdated.length })}</p>
      <ul className={css.lost}>
        {outdated.map((one) => (
          <li key={`${one.course.id} ${one.hall.id} ${one.kind}`} className={css.warn}>
            {t('list_outdated', {
              list: t(PRINTS[one.kind]),
              hall: hallName(nameOf(one.hall, lang), one.hall.code),
              course: one.course.code ?? '',
              when: formatInstant(one.printed_at, lang),
            })}
          </li>
        ))}
      </ul>
    </div>
  )
}
const PRINTS = { door: 'door_list', plan: 'seating_plan', sheet: 'attendance_sheet' } as const

/** Halls that students had seats in, and that are gone. */
function Lost({ of: { lost } }: { of: ExamSeats }) {
  const t = useT('exam-days')
  if (!lost.length) return null
  return (
    <ul className={css.lost}>
      {lost.map((one) => (
        <li key={`${one.course.id} ${one.hall.id}`} className={css.warn}>
          {t('hall_lost', { hall: one.hall.code ?? '', course: one.course.code ?? '', date: formatDate(one.date) })}
        </li>
      ))}
    </ul>
  )
}

/** The hall from above, its front at the top. */
function Hall({ id, onClose, print }: { id: number; onClose: () => void; print: (one: HallSitting) => void }) {
  const t = useT('exam-days')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(seatCalls.plan, { params: { id } })
  const hall = data?.data
  const colours = new Map(hall?.courses.map((course, i) => [course, i % 6]))
  const by = new Map(hall?.rows.map((row) => [row.seat, row]))
  const last = Math.max(1, ...(hall?.rows.map((row) => row.seat) ?? []))
  const count = hall ? Math.min(hall.places, Math.ceil(last / hall.across) * hall.across) : 0
  return (
    <Dialog
      opened
      onClose={onClose}
      size="xl"
      title={hall ? hallName(nameOf(hall.hall, lang), hall.hall.code) : t('seating_plan')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {error && !hall ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !hall ? (
        <Bone height={300} />
      ) : (
        <Stack>
          <p className={css.text}>
            {formatDate(hall.date)} <Code>{`${hall.from}–${hall.to}`}</Code>
            {hall.courses.map((course) => (
              <span key={course} className={css.legend} data-colour={colours.get(course)}>
                <Code>{course}</Code>
              </span>
            ))}
          </p>
          <div className={css.front}>{t('front')}</div>
          <div
            className={css.plan}
            role="list"
            aria-label={t('seating_plan')}
            tabIndex={0}
            style={{ ['--across' as string]: hall.across }}
          >
            {Array.from({ length: count }, (_, i) => {
              const one = by.get(i + 1)
              const who = one?.student
                ? `${nameOf(one.student, lang)} · ${one.student.code}`
                : (one?.course ?? t('free_seat'))
              return (
                <span
                  key={i}
                  role="listitem"
                  className={css.seat}
                  data-colour={one ? colours.get(one.course) : undefined}
                  title={one ? `${i + 1}: ${who} · ${one.course}` : `${i + 1}: ${who}`}
                >
                  <b>{formatNumber(i + 1)}</b>
                  {one && <small dir="ltr">{one.student?.code ?? one.course}</small>}
                </span>
              )
            })}
          </div>
          <div className={css.buttons}>
            <Button variant="default" disabled={!hall.seated} onClick={() => print(hall)}>
              {t('print_plan')}
            </Button>
          </div>
        </Stack>
      )}
    </Dialog>
  )
}
