import { useState } from 'react'
import { Button, NumberInput, Progress, Slider } from '@mantine/core'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { Problems, confirm, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatDate, formatNumber, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Table } from '#kit/web/table/table.tsx'
import {
  DEFAULT_WEIGHTS,
  WEIGHTS,
  examPlacementCalls,
  type PlacementFigures,
  type PlacementRun,
} from './placement.contract.ts'
import { boardCss } from '#kit/web/timetable/board.tsx'
import css from '../board/board.module.css'

interface PanelProps {
  readonly exam_id: number
  readonly movable: boolean
  readonly slots: readonly { readonly id: number; readonly starts: string }[]
  /** An exam that is looked at: others can make room for it to move. */
  readonly picked: { readonly id: number; readonly name: string } | undefined
}
interface Live {
  readonly id: number
  readonly exam_id: number
  readonly state: string
  readonly progress: number
  readonly cost: PlacementFigures
}

/** Automatic placement: what it weighs, how far it is, and its plan beside the present one. */
export function PlacementPanel({ exam_id, movable, slots, picked }: PanelProps) {
  const t = useT('exams')
  const lang = useLanguage()
  const me = useMe()
  const { data, refetch } = useCall(examPlacementCalls.last, { params: { id: exam_id } })
  const { busy, problem, go, send, forget } = useChange('/exam-schedules', '/exams')
  const [open, setOpen] = useState(false)
  const [seconds, setSeconds] = useState(30)
  const [given, setGiven] = useState<Partial<Record<(typeof WEIGHTS)[number], number>>>({})
  const [live, setLive] = useState<Live | null>(null)
  useEvent('exam_placement', (told) => {
    const now = told as Live
    if (now.exam_id !== exam_id) return
    setLive(now)
    if (now.state !== 'running') void refetch()
  })
  const run = data?.data
  // However its job ends, the run ends with it.
  useEvent('job', (told) => {
    const { id, state } = told as { id: string; state: string }
    if (id === run?.job_id && state !== 'running' && state !== 'queued') void refetch()
  })
  if (!me.can('place_exam') || (!movable && run?.state !== 'running')) return null
  const weights = { ...DEFAULT_WEIGHTS, ...run?.weights, ...given }
  const begin = async () => {
    forget()
    setLive(null)
    const begun = await go(() => send(examPlacementCalls.place, { body: { exam_id, seconds, weights } }))
    if (begun) setOpen(false)
  }
  const change = async (what: 'stop' | 'discard') => {
    forget()
    const input = { params: { id: run!.id } }
    await go(() => (what === 'stop' ? send(examPlacementCalls.stop, input) : send(examPlacementCalls.discard, input)))
  }
  const take = async () => {
    forget()
    const unplaced = run!.cost?.unplaced ?? 0
    const incomplete = unplaced > 0
    if (incomplete) {
      const sure = await confirm({
        title: t('take'),
        consequence: t('take_incomplete', { count: unplaced }),
        action: t('take'),
      })
      if (!sure) return
    }
    const done = await go(() => send(examPlacementCalls.take, { params: { id: run!.id }, body: { incomplete } }))
    if (done) notify.done(t('taken'))
  }
  const running = run?.state === 'running'
  const cost = running && live?.id === run.id ? live.cost : run?.cost
  return (
    <>
      <div className={boardCss.tools}>
        <Button disabled={busy || running || !movable} onClick={() => setOpen(!open)} aria-expanded={open}>
          {t('place')}
        </Button>
        <Button
          variant="default"
          disabled={busy || running || !movable}
          onClick={() =>
            void go(() => send(examPlacementCalls.repair, { body: { exam_id, must_move: picked ? [picked.id] : [] } }))
          }
        >
          {picked ? t('repair_moving', { name: picked.name }) : t('repair')}
        </Button>
      </div>
      {problem ? <Problems error={problem} /> : null}
      {open && !running && (
        <section className={css.run} aria-label={t('place')}>
          <h2>{t('weights')}</h2>
          <Weights of={weights} onChange={(name, value) => setGiven({ ...given, [name]: value })} />
          <NumberInput
            label={t('seconds')}
            min={1}
            max={600}
            value={seconds}
            maw={160}
            onChange={(value) => setSeconds(Math.min(600, Math.max(1, Number(value) || 30)))}
          />
          <div className={css.buttons}>
            <Button loading={busy} onClick={() => void begin()}>
              {t('begin')}
            </Button>
            <Button variant="default" onClick={() => setOpen(false)}>
              {t('close')}
            </Button>
          </div>
        </section>
      )}
      {run?.state === 'failed' && !problem && <p className={css.failed}>{t('run_failed')}</p>}
      {run && (running || run.state === 'proposed') && (
        <section className={css.run} aria-label={t('plan')} aria-live="polite">
          <h2>
            {running
              ? t(run.kind === 'repair' ? 'repairing' : 'running')
              : t('proposal', { count: run.changes.length })}
          </h2>
          {running && run.kind === 'place' && (
            <Progress value={live?.id === run.id ? live.progress : run.progress} aria-label={t('running')} />
          )}
          <div className={css.buttons}>
            {running && run.kind === 'place' && (
              <Button disabled={busy} onClick={() => void change('stop')}>
                {t('stop')}
              </Button>
            )}
            {!running && (
              <Submit
                loading={busy}
                missing={[run.cost !== null && run.cost.broken > run.cost.unplaced && t('proposal_worse')]}
                onClick={() => void take()}
              >
                {t('take')}
              </Submit>
            )}
            <Button variant="default" disabled={busy} onClick={() => void change('discard')}>
              {running ? t('cancel') : t('discard')}
            </Button>
          </div>
          <Compared present={run.present} proposed={cost ?? null} />
          {run.reasons.length > 0 && (
            <ul className={boardCss.told}>
              {run.reasons.map((reason) => (
                <li key={reason.en} data-tone="refused">
                  {problemText(reason, lang)}
                </li>
              ))}
            </ul>
          )}
          {!running && <Changes run={run} slots={slots} />}
        </section>
      )}
    </>
  )
}

type Weight = (typeof WEIGHTS)[number]

/** How much each thing weighs. */
function Weights({
  of,
  onChange,
}: {
  readonly of: Readonly<Record<Weight, number>>
  readonly onChange: (name: Weight, value: number) => void
}) {
  const t = useT('exams')
  return (
    <div className={css.weights}>
      {WEIGHTS.map((name) => (
        <div key={name}>
          <span>
            {t(`weight_${name}`)} · {formatNumber(of[name])}
          </span>
          <Slider
            thumbLabel={t(`weight_${name}`)}
            size="sm"
            min={0}
            max={20}
            label={null}
            value={Math.min(of[name], 20)}
            onChange={(value) => onChange(name, value)}
          />
        </div>
      ))}
    </div>
  )
}

/** Figures of two plans side by side. */
function Compared({
  present,
  proposed,
}: {
  readonly present: PlacementFigures | null
  readonly proposed: PlacementFigures | null
}) {
  const t = useT('exams')
  const value = (figures: PlacementFigures | null, name: string) => {
    if (!figures) return '–'
    const own = {
      unplaced: figures.unplaced,
      clashes: figures.clashes,
      worst_load: figures.worstLoad,
      total: figures.total,
      duties_lacking: figures.invigilators?.lacking ?? null,
      duties_most: figures.invigilators?.most ?? null,
    }
    const found = name in own ? own[name as keyof typeof own] : (figures.parts[name] ?? 0)
    return found === null ? '–' : formatNumber(found)
  }
  const rows = [
    ['unplaced', t('figure_unplaced')],
    ['clashes', t('figure_clashes')],
    ['total', t('figure_total')],
    ['worst_load', t('figure_worst')],
    ['duties_lacking', t('duties_lacking')],
    ['duties_most', t('duties_most')],
    ...WEIGHTS.filter((name) => name !== 'worst').map((name) => [name, t(`weight_${name}`)]),
  ] as const
  return (
    <Table
      label={t('figure')}
      className={css.compared}
      rows={rows}
      rowKey={([name]) => name}
      columns={[
        { key: 'figure', label: t('figure'), head: true, cell: ([, label]) => label },
        { key: 'present', label: t('present'), cell: ([name]) => value(present, name) },
        { key: 'proposed', label: t('proposed'), cell: ([name]) => value(proposed, name) },
      ]}
    />
  )
}

/** What the plan puts elsewhere. */
function Changes({ run, slots }: { readonly run: PlacementRun; readonly slots: PanelProps['slots'] }) {
  const t = useT('exams')
  const place = (at: PlacementRun['changes'][number]['from']) =>
    at ? `${formatDate(at.on_date)} ${slots.find((slot) => slot.id === at.exam_slot_id)?.starts ?? ''}` : t('nowhere')
  if (!run.changes.length) return null
  return (
    <div className={css.changes}>
      <Table
        label={t('changes')}
        className={css.compared}
        height="22rem"
        rows={run.changes}
        rowKey={(one) => one.id}
        columns={[
          { key: 'exam', label: t('exam'), head: true, cell: (one) => <bdi>{one.name}</bdi> },
          { key: 'present', label: t('present'), cell: (one) => place(one.from) },
          { key: 'proposed', label: t('proposed'), cell: (one) => place(one.to) },
        ]}
      />
    </div>
  )
}
