import { Button, Checkbox, NumberInput, Progress, SegmentedControl } from '@mantine/core'
import { Failed, Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatNumber, formatPercent, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import type { RotationPlanFigures, RotationPlanRun } from './plan.contract.ts'
import { useRotationPlan, type RotationPlanning } from './use-plan.web.ts'
import css from './plan.module.css'

/** Which plan the board shows. */
export type ShownPlan = 'proposal' | 'present'

interface PanelProps {
  readonly year_id: number
  readonly closed: boolean
  readonly view: ShownPlan
  readonly onView: (view: ShownPlan) => void
  readonly onRun: (run: RotationPlanRun | null) => void
}

/** Beside the board: looks for a plan, tells how far it is, and compares what it found with what stands. */
export function PlanPanel({ year_id, closed, view, onView, onRun }: PanelProps) {
  const t = useT('internship')
  const planning = useRotationPlan(year_id, onRun)
  const { run, error, running } = planning
  if (error && !run) return <Failed error={error} retry={() => void planning.refetch()} />
  return (
    <Card title={t('plan')}>
      <div className={css.panel} aria-live="polite">
        {!running && !closed && <Begin planning={planning} />}
        {running && <Running planning={planning} />}
        {planning.problem ? <Problems error={planning.problem} /> : null}
        {run?.state === 'failed' && <p className={css.bad}>{t('plan_failed')}</p>}
        {run?.state === 'none' && <NoPlan run={run} />}
        {run?.state === 'proposed' && <Proposal planning={planning} run={run} view={view} onView={onView} />}
      </div>
    </Card>
  )
}

function Begin({ planning }: { readonly planning: RotationPlanning }) {
  const t = useT('internship')
  const { busy, seconds, setSeconds, keep, setKeep } = planning
  return (
    <>
      <NumberInput
        label={t('plan_seconds')}
        min={1}
        max={600}
        value={seconds}
        onChange={(value) => setSeconds(Math.min(600, Math.max(1, Number(value) || 60)))}
      />
      <Checkbox label={t('plan_keep')} checked={keep} onChange={(event) => setKeep(event.currentTarget.checked)} />
      <div className={css.buttons}>
        <Button
          variant={planning.run?.state === 'proposed' ? 'default' : 'filled'}
          loading={busy}
          onClick={() => void planning.plan()}
        >
          {t('plan_look')}
        </Button>
        <Button variant="default" disabled={busy} onClick={() => void planning.repair()}>
          {t('plan_repair')}
        </Button>
      </div>
      <p className={css.dim}>{t('plan_text')}</p>
    </>
  )
}

function Running({ planning }: { readonly planning: RotationPlanning }) {
  const t = useT('internship')
  const { run, progress, cost, busy } = planning
  const words = t(run?.kind === 'repair' ? 'plan_repairing' : 'plan_looking')
  return (
    <>
      <p className={css.line}>{words}</p>
      <Progress value={progress} aria-label={words} />
      <p className={css.dim}>
        {cost === null ? t('plan_none_yet') : t('plan_cost_so_far', { cost: formatNumber(cost, 1) })}
      </p>
      <div className={css.buttons}>
        <Button disabled={busy} onClick={() => void planning.stop()}>
          {t('plan_stop')}
        </Button>
        <Button variant="default" disabled={busy} onClick={() => void planning.discard()}>
          {t('plan_cancel')}
        </Button>
      </div>
    </>
  )
}

/** Why there is no plan: which departments lack how many places, whose rotations do not fit. */
function NoPlan({ run }: { readonly run: RotationPlanRun }) {
  const t = useT('internship')
  const lang = useLanguage()
  return (
    <div>
      <p className={css.bad}>{t('plan_none')}</p>
      <ul className={css.reasons}>
        {run.reasons.map((reason) => (
          <li key={reason.en}>{problemText(reason, lang)}</li>
        ))}
      </ul>
    </div>
  )
}

/** What was found beside what stands; it is looked at on the board, taken or thrown away. */
function Proposal({
  planning,
  run,
  view,
  onView,
}: Pick<PanelProps, 'view' | 'onView'> & { readonly planning: RotationPlanning; readonly run: RotationPlanRun }) {
  const t = useT('internship')
  const lang = useLanguage()
  const { changes } = run
  return (
    <>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={t('plan_which')}
        value={view}
        onChange={onView}
        data={[
          { value: 'present', label: t('plan_present') },
          { value: 'proposal', label: t('plan_proposed') },
        ]}
      />
      {changes && (
        <p className={css.line}>
          {t('plan_changes', {
            kept: changes.kept,
            added: changes.added + changes.accepted,
            removed: changes.removed,
            interns: changes.interns,
          })}
        </p>
      )}
      <Compared run={run} />
      {run.figures?.worst && (
        <p className={css.dim}>
          {t('plan_worst')}: <bdi>{nameOf(run.figures.worst, lang)}</bdi>
        </p>
      )}
      <div className={css.buttons}>
        <Submit loading={planning.busy} missing={[]} onClick={() => void planning.take(run)}>
          {t('plan_take')}
        </Submit>
        <Button variant="default" disabled={planning.busy} onClick={() => void planning.discard()}>
          {t('plan_discard')}
        </Button>
      </div>
    </>
  )
}

interface Line {
  readonly key: string
  readonly label: string
  readonly of: (figures: RotationPlanFigures) => string
}
function Compared({ run }: { readonly run: RotationPlanRun }) {
  const t = useT('internship')
  const last = (run.figures?.wishes.length ?? 2) - 1
  const wishes = (run.figures?.wishes ?? []).map((_, i): Line => ({
    key: `wish-${i}`,
    label:
      i === last
        ? t('plan_no_wish')
        : i === last - 1
          ? t('plan_later_wish')
          : t('plan_wish', { number: formatNumber(i + 1) }),
    of: (figures) => formatNumber(figures.wishes[i] ?? 0),
  }))
  const cost = (value: number | null) => (value === null ? '–' : formatNumber(value, 1))
  const lines: readonly Line[] = [
    {
      key: 'complete',
      label: t('plan_complete'),
      of: ({ complete }) => formatNumber(complete),
    },
    ...wishes,
    {
      key: 'worst',
      label: t('plan_worst'),
      of: ({ worst }) => (worst ? (worst.wish === null ? t('plan_no_wish') : formatNumber(worst.wish)) : '–'),
    },
    { key: 'apart', label: t('plan_apart'), of: ({ apart }) => formatNumber(apart) },
    { key: 'overfull', label: t('plan_overfull'), of: ({ overfull }) => formatNumber(overfull) },
    { key: 'used', label: t('plan_used'), of: ({ used, places }) => (places ? formatPercent(used / places) : '–') },
    { key: 'cost', label: t('plan_cost'), of: (figures) => cost(figures.cost) },
    { key: 'bound', label: t('plan_bound'), of: (figures) => cost(figures.bound) },
  ]
  const value = (figures: RotationPlanFigures | null, line: Line) => (figures ? line.of(figures) : '–')
  return (
    <Table
      label={t('plan_compared')}
      className={css.compared}
      rows={lines}
      rowKey={(line) => line.key}
      columns={[
        { key: 'figure', label: t('plan_figure'), head: true, cell: (line) => line.label },
        {
          key: 'present',
          label: t('plan_present'),
          figure: true,
          cell: (line) => <bdi>{value(run.present, line)}</bdi>,
        },
        {
          key: 'proposed',
          label: t('plan_proposed'),
          figure: true,
          cell: (line) => <bdi>{value(run.figures, line)}</bdi>,
        },
      ]}
    />
  )
}
