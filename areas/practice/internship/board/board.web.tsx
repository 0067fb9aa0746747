import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, useLanguage, useT, type Named } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { rotationPlanCalls, type RotationPlanRun } from '../plan/plan.contract.ts'
import { PlanPanel, type ShownPlan } from '../plan/panel.web.tsx'
import type { RotationBoard } from './board.contract.ts'
import { Sheet } from './sheet.web.tsx'
import { useRotationBoard, useRows, useSought, type BoardRows } from './use-board.web.ts'
import css from './board.module.css'

/** Interns below each other, the weeks of the year beside each other; plans are looked for, compared and taken beside it. */
export default function RotationBoardScreen() {
  const t = useT('internship')
  const { data, error, refetch, isFetching } = useRotationBoard()
  const [view, setView] = useState<ShownPlan>('present')
  const [run, setRun] = useState<RotationPlanRun | null>(null)
  const proposed = run?.state === 'proposed' && view === 'proposal' ? run : null
  const planned = useCall(
    rotationPlanCalls.planned,
    { params: { id: proposed?.id ?? 0 } },
    { enabled: proposed !== null },
  )
  const board = data?.data
  const plan = (proposed && planned.data?.data) ?? null
  return (
    <Page title={board ? board.year : t('board_rotations')}>
      {error && !board ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !board ? (
        <Bone height={520} />
      ) : (
        <div className={css.whole} data-panel={board.plans || undefined}>
          <Shown board={board} plan={plan} busy={isFetching || (proposed !== null && !plan)} />
          {board.plans && (
            <PlanPanel
              year_id={board.year.id}
              closed={board.year.is_closed}
              view={view}
              onView={setView}
              onRun={setRun}
            />
          )}
        </div>
      )}
    </Page>
  )
}

type PlanShown = Parameters<typeof useRows>[1]
function Shown({
  board,
  plan,
  busy,
}: {
  readonly board: RotationBoard
  readonly plan: PlanShown
  readonly busy: boolean
}) {
  const t = useT('internship')
  const { sought, set } = useSought()
  const of = useRows(board, plan, sought)
  return (
    <section className={css.side} aria-label={t('board_rotations')}>
      <Tools board={board} sought={sought} set={set} plans={plan !== null} of={of} />
      {!board.interns.length ? (
        <Empty title={t('board_nobody')} text={t('board_nobody_text')} />
      ) : !of.interns.length ? (
        <Empty
          title={t('board_none_found')}
          text={t('board_none_found_text')}
          action={
            <Button variant="default" onClick={() => set({ name: null, hospital: null, course: null, only: null })}>
              {t('board_show_all')}
            </Button>
          }
        />
      ) : (
        <Sheet key={board.year.id} board={board} of={of} busy={busy} />
      )}
      <Legend board={board} />
    </section>
  )
}

function Tools({
  board,
  sought,
  set,
  plans,
  of,
}: Pick<ReturnType<typeof useSought>, 'sought' | 'set'> & {
  readonly board: RotationBoard
  /** A plan is shown: what it changes can be sought. */
  readonly plans: boolean
  readonly of: BoardRows
}) {
  const t = useT('internship')
  const lang = useLanguage()
  const navigate = useNavigate()
  const options = (list: readonly ({ readonly id: number } & Named)[]) =>
    list.map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))
  const shown = of.interns.length
  return (
    <div className={css.tools}>
      {board.years.length > 1 && (
        <Select
          aria-label={t('board_year')}
          allowDeselect={false}
          data={options(board.years)}
          value={String(board.year.id)}
          onChange={(next) => next && void navigate(to('/emtyaz/board/:id', { id: Number(next) }))}
        />
      )}
      <TextInput
        type="search"
        aria-label={t('board_find')}
        placeholder={t('board_find')}
        value={sought.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Select
        aria-label={t('board_hospital')}
        placeholder={t('board_all_hospitals')}
        clearable
        data={options(board.hospitals)}
        value={sought.hospital === null ? null : String(sought.hospital)}
        onChange={(next) => set({ hospital: next })}
      />
      <Select
        aria-label={t('board_course')}
        placeholder={t('board_all_courses')}
        clearable
        data={options(board.courses)}
        value={sought.course === null ? null : String(sought.course)}
        onChange={(next) => set({ course: next })}
      />
      <Select
        aria-label={t('board_only')}
        placeholder={t('board_only_all')}
        clearable
        data={[
          { value: 'overfull', label: t('board_only_overfull') },
          { value: 'waiting', label: t('board_only_waiting') },
          ...(plans ? [{ value: 'changed', label: t('board_only_changed') }] : []),
        ]}
        value={sought.only}
        onChange={(next) => set({ only: next })}
      />
      <span className={css.count}>
        {shown === board.interns.length
          ? t('board_count', { count: shown })
          : t('board_count_of', { count: formatNumber(shown), total: formatNumber(board.interns.length) })}
      </span>
      {of.days.length > 0 && (
        <Button
          className={css.over}
          variant="subtle"
          color="red"
          size="compact-sm"
          onClick={() => set({ only: 'overfull' })}
        >
          {t('board_overfull', { count: of.days.length })}
        </Button>
      )}
    </div>
  )
}

/** Colours there are; courses beyond begin again. */
const HUES = 8
function Legend({ board }: { readonly board: RotationBoard }) {
  const t = useT('internship')
  const lang = useLanguage()
  return (
    <>
      <ul className={css.legend} aria-label={t('board_courses')}>
        {board.courses.map((one, i) => (
          <li key={one.id} data-hue={i % HUES}>
            <bdi>{nameOf(one, lang)}</bdi>
          </li>
        ))}
      </ul>
      <p className={css.keys}>{t('board_keys')}</p>
    </>
  )
}
