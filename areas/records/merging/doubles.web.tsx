import { Button, SegmentedControl } from '@mantine/core'
import { IconArrowBackUp, IconArrowMerge, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Failed, Status, act, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatInstant, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useUndo } from '#kit/web/imports/undo.tsx'
import { Link, addressOfRecord, to, useNavigate } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { MERGE_KINDS, mergeCalls } from './merge.contract.ts'
import type { MergeKind, MergedMark, Merged } from './merge.contract.ts'
import css from './merging.module.css'
import { useTwoPeople } from './two-people.web.tsx'

const PAGE = 25

/** Where two records are compared. */
const compare = (kind: MergeKind, keep: number, merge: number): string =>
  to('/people/merge/:kind/:keep/:merge', { kind, keep, merge })

/** A record by its name and code, leading to it. */
export function RecordName({ kind, of }: { kind: MergeKind; of: Merged['kept'] }) {
  const l = useLanguage()
  const address = addressOfRecord(kind, 'show', of.id)
  const name = <bdi>{nameOf(of, l)}</bdi>
  return (
    <span className={css.record}>
      {address ? <Link to={address}>{name}</Link> : name} {of.code && <Code>{of.code}</Code>}
    </span>
  )
}

/** Records that may be of one person, two chosen by hand, and the merges that were made. */
export default function Doubles() {
  const t = useT('merging')
  const [kind, setKind] = useState<MergeKind>('student')
  return (
    <Page title={t('doubles')} subtitle={t('doubles_text')}>
      <Stack>
        <SegmentedControl
          value={kind}
          onChange={(value) => setKind(value)}
          data={MERGE_KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
          aria-label={t('kind')}
          style={{ justifySelf: 'start' }}
        />
        <Choose key={kind} kind={kind} />
        <Likely key={`${kind} likely`} kind={kind} />
        <Said key={`${kind} said`} kind={kind} />
        <Made />
      </Stack>
    </Page>
  )
}

function Choose({ kind }: { kind: MergeKind }) {
  const t = useT('merging')
  const navigate = useNavigate()
  const [keep, setKeep] = useState<number | null>(null)
  const [merge, setMerge] = useState<number | null>(null)
  return (
    <Card title={t('choose')} text={t('choose_text')}>
      <div className={css.choose}>
        <LookupInput resource={kind} label={t('kept')} defaultValue={null} onChange={setKeep} />
        <LookupInput resource={kind} label={t('merged')} defaultValue={null} onChange={setMerge} />
        <Submit
          missing={[keep === null && t('kept'), (merge === null || keep === merge) && t('merged')]}
          onClick={() => keep !== null && merge !== null && void navigate(compare(kind, keep, merge))}
        >
          {t('compare')}
        </Submit>
      </div>
    </Card>
  )
}

function Pages({ page, count, onPage }: { page: number; count: number; onPage: (page: number) => void }) {
  const t = useT('kit-screens')
  if (count <= PAGE) return null
  return (
    <div className={css.pages}>
      <Button size="xs" variant="subtle" disabled={page === 1} onClick={() => onPage(page - 1)}>
        {t('previous_page')}
      </Button>
      <span>{formatNumber(page)}</span>
      <Button size="xs" variant="subtle" disabled={page * PAGE >= count} onClick={() => onPage(page + 1)}>
        {t('next_page')}
      </Button>
    </div>
  )
}

function Likely({ kind }: { kind: MergeKind }) {
  const t = useT('merging')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall(mergeCalls.doubles, { body: { kind, page } })
  const sayTwo = useTwoPeople(kind)
  let content: ReactNode
  if (error && !data) content = <Failed error={error} retry={() => void refetch()} />
  else if (!data) content = <Bone height={120} />
  else if (!data.data.length) content = <p className={css.dim}>{t('likely_none')}</p>
  else
    content = (
      <>
        <ul className={css.rows}>
          {data.data.map(({ one, other, sign }) => (
            <li key={`${one.id} ${other.id}`}>
              <span className={css.two}>
                <RecordName kind={kind} of={one} />
                <RecordName kind={kind} of={other} />
              </span>
              <small>{t(`sign_${sign}`)}</small>
              <span className={css.acts}>
                <Button
                  component={Link}
                  to={compare(kind, one.id, other.id)}
                  size="xs"
                  variant="default"
                  leftSection={<IconArrowMerge size={14} aria-hidden />}
                >
                  {t('compare')}
                </Button>
                <Button
                  size="xs"
                  variant="subtle"
                  leftSection={<IconUsers size={14} aria-hidden />}
                  onClick={() => void sayTwo(one, other)}
                >
                  {t('two_people')}
                </Button>
              </span>
            </li>
          ))}
        </ul>
        <Pages page={page} count={data.meta.count} onPage={setPage} />
      </>
    )
  return (
    <Card title={t('likely')} text={t('likely_text')}>
      {content}
    </Card>
  )
}

/** What was said to be two people's, and taking it back. */
function Said({ kind }: { kind: MergeKind }) {
  const t = useT('merging')
  const l = useLanguage()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall(mergeCalls.notDoubles, { body: { kind, page } })
  const { send } = useChange('/people')
  const takeBack = ({ id, one, other, reason }: MergedMark) => {
    const names = { one: nameOf(one, l), other: nameOf(other, l) }
    return act({
      go: () => send(mergeCalls.unmarkNotDouble, { params: { id } }),
      done: () => t('taken_back', names),
      undo: () => send(mergeCalls.markNotDouble, { body: { kind, one_id: one.id, other_id: other.id, reason } }),
    })
  }
  let content: ReactNode
  if (error && !data) content = <Failed error={error} retry={() => void refetch()} />
  else if (!data) content = <Bone height={60} />
  else if (!data.data.length) content = <p className={css.dim}>{t('said_none')}</p>
  else
    content = (
      <>
        <ul className={css.rows}>
          {data.data.map((mark) => (
            <li key={mark.id}>
              <span className={css.two}>
                <RecordName kind={kind} of={mark.one} />
                <RecordName kind={kind} of={mark.other} />
                <bdi className={css.reason}>{mark.reason}</bdi>
              </span>
              <small>
                {mark.by && <bdi>{nameOf(mark.by, l)}</bdi>} ·{' '}
                <time dateTime={mark.at}>{formatInstant(mark.at, l)}</time>
              </small>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconArrowBackUp size={14} aria-hidden />}
                aria-label={t('take_back_of', { one: nameOf(mark.one, l), other: nameOf(mark.other, l) })}
                onClick={() => void takeBack(mark)}
              >
                {t('take_back')}
              </Button>
            </li>
          ))}
        </ul>
        <Pages page={page} count={data.meta.count} onPage={setPage} />
      </>
    )
  return (
    <Card title={t('said')} text={t('said_text')}>
      {content}
    </Card>
  )
}

function Made() {
  const t = useT('merging')
  const kit = useT('kit-screens')
  const l = useLanguage()
  const undo = useUndo()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall(mergeCalls.merges, { body: { page } })
  let content: ReactNode
  if (error && !data) content = <Failed error={error} retry={() => void refetch()} />
  else if (!data) content = <Bone height={120} />
  else if (!data.data.length) content = <p className={css.dim}>{t('made_none')}</p>
  else
    content = (
      <>
        <ul className={css.rows}>
          {data.data.map((one) => (
            <li key={one.id}>
              <span className={css.two}>
                <RecordName kind={one.kind} of={one.kept} />
                <small>
                  {t('made_from', { name: nameOf(one.merged, l), code: one.merged.code ?? '–' })} ·{' '}
                  {t(`kind_${one.kind}`)}
                </small>
              </span>
              <small>
                {one.by && <bdi>{nameOf(one.by, l)}</bdi>} · <time dateTime={one.at}>{formatInstant(one.at, l)}</time>
              </small>
              {one.undone_at ? (
                <Status
                  is="undone"
                  label={kit('operation_undone', {
                    by: one.undone_by ? nameOf(one.undone_by, l) : '',
                    at: formatInstant(one.undone_at, l),
                  })}
                />
              ) : one.abilities.includes('undo') ? (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconArrowBackUp size={14} aria-hidden />}
                  aria-label={kit('undo_of', { name: nameOf(one.merged, l) })}
                  onClick={() => void undo(one.id).catch((problem: unknown) => notify.error(problem))}
                >
                  {kit('undo')}
                </Button>
              ) : (
                <Status is="expired" label={kit('operation_expired')} />
              )}
            </li>
          ))}
        </ul>
        <Pages page={page} count={data.meta.count} onPage={setPage} />
      </>
    )
  return (
    <Card title={t('made')} text={t('made_text')}>
      {content}
    </Card>
  )
}
