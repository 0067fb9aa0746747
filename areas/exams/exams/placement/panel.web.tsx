import { Button, NumberInput, Progress, SegmentedControl, Slider } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconWand } from '@tabler/icons-react'
import { useState } from 'react'
import { Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatDate, formatNumber, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Table } from '#kit/web/table/table.tsx'
import { boardCss } from '#kit/web/timetable/board.tsx'
import type { Compared } from '../board/board.rules.ts'
import { WEIGHTS, type PlacementFigures, type PlacementRun } from './placement.contract.ts'
import type { ExamPlacing } from './use-placement.web.ts'
import css from '../board/board.module.css'

interface Slots {
  readonly slots: readonly { readonly id: number; readonly starts: string }[]
}

/** The one button that places all exams with the usual weights, the weights behind another, and what comes of it. */
export function PlacementTools({
  placing,
  picked,
}: {
  readonly placing: ExamPlacing
  /** An exam that is looked at: others can make room for it to move. */
  readonly picked: { readonly id: number; readonly name: string } | undefined
}) {
  const t = useT('exams')
  const [open, setOpen] = useState(false)
  if (!placing.shown) return null
  const { busy, running, movable } = placing
  const idle = !busy && !running && movable
  const begin = async () => {
    if (await placing.place()) setOpen(false)
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconWand size={16} aria-hidden />}
        disabled={!idle}
        onClick={() => void begin()}
      >
        {t('place')}
      </Button>
      <Button
        variant="subtle"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        disabled={!idle}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {t('adjust')}
      </Button>
      <Button variant="subtle" disabled={!idle} onClick={() => void placing.repair(picked ? [picked.id] : [])}>
        {picked ? t('repair_moving', { name: picked.name }) : t('repair')}
      </Button>
      {open && idle && (
        <section className={`${css.run} ${css.adjust}`} aria-label={t('weights')}>
          <h2>{t('weights')}</h2>
          <p className={css.dim}>{t('weights_text')}</p>
          <Weights placing={placing} />
          <div className={css.buttons}>
            <Button onClick={() => void begin()}>{t('place_so')}</Button>
            <Button variant="default" disabled={placing.isUsual} onClick={placing.asUsual}>
              {t('as_usual')}
            </Button>
          </div>
        </section>
      )}
    </>
  )
}

/** How much each thing weighs, and how long it looks. */
function Weights({ placing }: { readonly placing: ExamPlacing }) {
  const t = useT('exams')
  return (
    <div className={css.weights}>
      {WEIGHTS.map((name) => (
        <div key={name}>
          <span>
            {t(`weight_${name}`)} · {formatNumber(placing.weights[name])}
          </span>
          <Slider
            thumbLabel={t(`weight_${name}`)}
            size="sm"
            min={0}
            max={20}
            label={null}
            value={Math.min(placing.weights[name], 20)}
            onChange={(value) => placing.weigh(name, value)}
          />
        </div>
      ))}
      <NumberInput
        label={t('seconds')}
        min={1}
        max={600}
        value={placing.seconds}
        onChange={(value) => placing.setSeconds(Math.min(600, Math.max(1, Number(value) || 30)))}
      />
    </div>
  )
}

/** While it looks for a plan: how far it is, and what it has so far. */
export function PlacementRunning({ placing }: { readonly placing: ExamPlacing }) {
  const t = useT('exams')
  const { run, running, cost, busy, progress } = placing
  if (!placing.shown) return null
  if (placing.failed && !placing.problem) return <p className={css.failed}>{t('run_failed')}</p>
  if (placing.problem && !running && !placing.proposal) return <Problems error={placing.problem} />
  if (!running || !run) return null
  const isPlacing = run.kind === 'place'
  return (
    <section className={css.run} aria-label={t('plan')} aria-live="polite">
      <h2>{t(isPlacing ? 'running' : 'repairing')}</h2>
      {isPlacing && <Progress value={progress} aria-label={t('running')} />}
      {cost && <p className={css.dim}>{t('so_far', { unplaced: cost.unplaced, clashes: cost.clashes })}</p>}
      {placing.problem ? <Problems error={placing.problem} /> : null}
      <div className={css.buttons}>
        {isPlacing && (
          <Button disabled={busy} onClick={() => void placing.stop()}>
            {t('stop')}
          </Button>
        )}
        <Button variant="default" disabled={busy} onClick={() => void placing.discard()}>
          {t('cancel')}
        </Button>
      </div>
    </section>
  )
}

export type PlanView = 'proposal' | 'present'

/** A proposed plan beside the standing one: in words what becomes better and worse, what differs; it is taken or thrown away. */
export function PlacementProposal({
  placing,
  compared,
  slots,
  view,
  onView,
  onLook,
}: Slots & {
  readonly placing: ExamPlacing
  readonly compared: readonly Compared[]
  readonly view: PlanView
  readonly onView: (view: PlanView) => void
  readonly onLook: (exam_id: number) => void
}) {
  const t = useT('exams')
  const lang = useLanguage()
  const run = placing.proposal
  if (!run) return null
  const { cost, present } = run
  const broken = cost !== null && cost.broken > cost.unplaced
  const lacking = (of: PlacementFigures | null) => of?.invigilators?.lacking
  const staff =
    lacking(present) === undefined || lacking(cost) === undefined
      ? []
      : [{ name: 'lacking' as const, from: lacking(present)!, to: lacking(cost)! }]
  return (
    <section className={css.run} aria-label={t('plan')} aria-live="polite">
      <div className={css.proposal}>
        <h2>{t('proposal')}</h2>
        <SegmentedControl
          size="xs"
          aria-label={t('which_plan')}
          value={view}
          onChange={(next) => onView(next)}
          data={[
            { value: 'present', label: t('present') },
            { value: 'proposal', label: t('proposed') },
          ]}
        />
        <span className={css.decide}>
          <Submit
            loading={placing.busy}
            missing={[broken && t('proposal_worse')]}
            onClick={() => void placing.take(run)}
          >
            {t('take')}
          </Submit>
          <Button variant="default" disabled={placing.busy} onClick={() => void placing.discard()}>
            {t('discard')}
          </Button>
        </span>
      </div>
      <ul className={css.verdicts}>
        {[...compared, ...staff].map(({ name, from, to }) => (
          <li key={name} data-tone={to < from ? 'done' : to > from ? 'refused' : undefined}>
            <span>{t(`counted_${name}`)}</span>{' '}
            <b>
              <bdi>
                {formatNumber(from)} → {formatNumber(to)}
              </bdi>
            </b>{' '}
            {t(to < from ? 'better' : to > from ? 'worse' : 'the_same')}
          </li>
        ))}
      </ul>
      {broken && <p className={css.failed}>{t('take_broken')}</p>}
      {placing.problem ? <Problems error={placing.problem} /> : null}
      {run.reasons.length > 0 && (
        <ul className={boardCss.told}>
          {run.reasons.map((reason) => (
            <li key={reason.en} data-tone="refused">
              {problemText(reason, lang)}
            </li>
          ))}
        </ul>
      )}
      <Differs run={run} slots={slots} onLook={onLook} />
    </section>
  )
}

/** What differs, exam by exam, and every figure the solver weighed: for who wants to know. */
function Differs({
  run,
  slots,
  onLook,
}: Slots & { readonly run: PlacementRun; readonly onLook: (id: number) => void }) {
  const t = useT('exams')
  const place = (at: PlacementRun['changes'][number]['from']) =>
    at
      ? `${formatDate(at.on_date, 'column')} ${slots.find((slot) => slot.id === at.exam_slot_id)?.starts ?? ''}`
      : t('nowhere')
  const value = (figures: PlacementFigures | null, name: string) =>
    figures ? formatNumber(name === 'total' ? figures.total : (figures.parts[name] ?? 0)) : '–'
  return (
    <div className={css.differs}>
      {run.changes.length > 0 && (
        <details>
          <summary>{t('changes_count', { count: run.changes.length })}</summary>
          <Table
            label={t('changes')}
            className={css.compared}
            height="22rem"
            rows={run.changes}
            rowKey={(one) => one.id}
            columns={[
              {
                key: 'exam',
                label: t('exam'),
                head: true,
                cell: (one) => (
                  <Button variant="subtle" size="compact-xs" onClick={() => onLook(one.id)}>
                    <bdi>{one.name}</bdi>
                  </Button>
                ),
              },
              { key: 'present', label: t('present'), cell: (one) => place(one.from) },
              { key: 'proposed', label: t('proposed'), cell: (one) => place(one.to) },
            ]}
          />
        </details>
      )}
      <details>
        <summary>{t('weighed')}</summary>
        <Table
          label={t('weighed')}
          className={css.compared}
          rows={['total', ...WEIGHTS] as const}
          rowKey={(name) => name}
          columns={[
            {
              key: 'figure',
              label: t('figure'),
              head: true,
              cell: (name) => (name === 'total' ? t('figure_total') : t(`weight_${name}`)),
            },
            { key: 'present', label: t('present'), figure: true, cell: (name) => value(run.present, name) },
            { key: 'proposed', label: t('proposed'), figure: true, cell: (name) => value(run.cost, name) },
          ]}
        />
      </details>
    </div>
  )
}
