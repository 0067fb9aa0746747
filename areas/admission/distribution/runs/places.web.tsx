import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import { formatNumber, formatPercent, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { MOVED_BY, distributionRunCalls, type LadderRung, type PlaceRow } from './run.contract.ts'
import css from './run.module.css'

type Place = PlaceRow & AnyRow

/** Applicants of a run: what each was given, against the run before; and the ladder of one. */
export function PlacesOfRun({ id }: { id: number }) {
  const t = useT('distribution')
  const [of, setOf] = useState<Place | null>(null)
  return (
    <>
      <ListScreen<Place>
        page={false}
        call={distributionRunCalls.places}
        params={{ id }}
        name="distribution-places"
        title={['Applicants of the distribution', 'متقدمو التنسيق']}
        columns={COLUMNS}
        order={['score', 'desc']}
        filters={{
          program_id: f.lookup(['Program given', 'البرنامج المخصص'], 'program'),
          without: f.flag(['Without a seat', 'دون مقعد']),
          moved: f.flag(['Moved since the run before', 'تغير عن التنسيق السابق']),
        }}
        actions={(row) => [{ key: 'ladder', label: t('ladder'), onSelect: () => setOf(row) }]}
        rowHref={(row) => to('/applicants/:id', { id: row.id })}
        empty={{ title: t('places_empty') }}
      />
      {of && (
        <Dialog opened title={t('ladder')} onClose={() => setOf(null)}>
          <LadderOfApplicant run={id} applicant={of.id} />
        </Dialog>
      )}
    </>
  )
}

const COLUMNS: readonly Column<Place>[] = [
  {
    key: 'code',
    label: ['Applicant', 'المتقدم'],
    sort: true,
    width: 240,
    cell: (row) => (
      <span className={css.words}>
        <Name row={{ name: row.name ?? row.code, name_local: row.name_local ?? row.code }} />
        <small className={css.dim}>
          <Code>{row.code}</Code>
        </small>
      </span>
    ),
  },
  {
    key: 'score',
    label: ['Ranking mark', 'مجموع الترتيب'],
    sort: true,
    align: 'end',
    width: 120,
    cell: (row) => (row.score === null ? '–' : <bdi>{formatPercent(Number(row.score) / 100, 2)}</bdi>),
  },
  {
    key: 'program',
    label: ['Program given', 'البرنامج المخصص'],
    width: 240,
    cell: (row) => (row.program ? <Name row={row.program} /> : '–'),
  },
  {
    key: 'preference',
    label: ['Which wish', 'ترتيب الرغبة'],
    sort: true,
    align: 'end',
    width: 110,
    cell: (row) => (
      <Code>{row.preference === null ? '–' : `${formatNumber(row.preference)} / ${formatNumber(row.wishes)}`}</Code>
    ),
  },
  {
    key: 'before',
    label: ['In the run before', 'في التنسيق السابق'],
    width: 220,
    cell: (row) => (row.moved ? row.before ? <Name row={row.before} /> : '–' : ''),
  },
  { key: 'moved', label: ['Why', 'السبب'], width: 170, cell: (row) => <MovedBy by={row.moved} /> },
]

function MovedBy({ by }: { by: PlaceRow['moved'] }) {
  const say = useLabel()
  const known = MOVED_BY.find(({ value }) => value === by)
  return known ? <Status tone={known.tone} label={say(known.label)} /> : null
}

const STATE = {
  given: 'met',
  not_needed: 'passed',
  not_ranked: 'unmet',
  refused: 'full',
  not_offered: 'removed',
} as const

function LadderOfApplicant({ run, applicant }: { run: number; applicant: number }) {
  const t = useT('distribution')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(distributionRunCalls.ladder, { params: { id: run, applicant } })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={240} />
  const { applicant: who, score, rungs } = data.data
  return (
    <>
      <p>
        <strong>
          <bdi>{nameOf(who, lang)}</bdi>
        </strong>
        {score !== null && (
          <span className={css.dim}> · {t('score_of', { mark: formatPercent(Number(score) / 100, 2) })}</span>
        )}
      </p>
      <ol className={css.rungs}>
        {rungs.map((rung) => (
          <Rung key={rung.preference} rung={rung} />
        ))}
      </ol>
    </>
  )
}

function Rung({ rung }: { rung: LadderRung }) {
  const t = useT('distribution')
  const lang = useLanguage()
  return (
    <li className={css.rung} data-outcome={rung.outcome}>
      <span className={css.number} aria-hidden>
        {formatNumber(rung.preference)}
      </span>
      <span className={css.words}>
        <strong>
          <Name row={rung.program} />
        </strong>
        {rung.reasons.map((reason) => (
          <span key={`${reason.code} ${reason.en}`} className={css.dim}>
            {problemText(reason, lang)}
          </span>
        ))}
        {rung.outcome === 'given' && rung.rank !== null && (
          <span className={css.dim}>
            {t('rank_of', { rank: formatNumber(rung.rank), last: formatNumber(rung.last_rank ?? rung.rank) })}
          </span>
        )}
      </span>
      <Status is={STATE[rung.outcome]} label={t(`outcome_${rung.outcome}`)} />
    </li>
  )
}
