import { Button, Checkbox, Radio } from '@mantine/core'
import { IconArrowsExchange, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Failed, confirm, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatNumber, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { UndoNotice } from '#kit/web/imports/undo.tsx'
import { Link, addressOfRecord, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table, type TableColumn } from '#kit/web/table/table.tsx'
import { MERGE_KINDS, mergeCalls } from './merge.contract.ts'
import type { MergeKind, MergePreview, MergedRecord } from './merge.contract.ts'
import css from './merging.module.css'
import { useTwoPeople } from './two-people.web.tsx'

/** Whose words name the fields. */
const WORDS = { student: 'students', instructor: 'people', user: 'people' } as const

/** Two records side by side: which values stay, what follows, what ends, what stands against it. */
export default function Compare() {
  const params = useParams()
  const kind = MERGE_KINDS.find((mergeKind) => mergeKind === params.kind) ?? 'student'
  const pair = { keep_id: Number(params.keep), merge_id: Number(params.merge) }
  return <Pair key={`${kind} ${pair.keep_id} ${pair.merge_id}`} kind={kind} {...pair} />
}

function Pair({ kind, keep_id, merge_id }: { kind: MergeKind; keep_id: number; merge_id: number }) {
  const t = useT('merging')
  const k = useT('kit-screens')
  const l = useLanguage()
  const navigate = useNavigate()
  const [choices, setChoices] = useState<Record<string, MergedRecord>>({})
  const [all, setAll] = useState(false)
  const [done, setDone] = useState<number | null>(null)
  const { data, error, refetch } = useCall(
    mergeCalls.previewMerge,
    { body: { kind, keep_id, merge_id } },
    { enabled: done === null },
  )
  const { send } = useChange('/people', `/${kind}s`)
  const sayTwo = useTwoPeople(kind)
  const preview = data?.data
  const title = { name: t('compare_title'), name_local: t('compare_title') }
  if (done !== null)
    return (
      <Page title={title}>
        <UndoNotice
          text={t('merged_done', { name: preview ? nameOf(preview.kept, l) : '' })}
          operation={done}
          onUndone={() => void navigate(to('/people/merge'))}
        />
        <p>
          <Link to={addressOfRecord(kind, 'show', keep_id) ?? to('/people/merge')}>{t('open_kept')}</Link>
        </p>
      </Page>
    )
  if (error && !preview)
    return (
      <Page title={title}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  if (!preview)
    return (
      <Page title={title} subtitle={'\u00A0'}>
        <Bone height={480} />
      </Page>
    )
  const go = async () => {
    const { merged, kept } = preview
    await confirm({
      title: t('confirm_title', { merged: merged.code ?? nameOf(merged, l), kept: kept.code ?? nameOf(kept, l) }),
      consequence: t(
        preview.parts.some((one) => one.part === 'account' && one.fate === 'ends') ? 'confirm_account' : 'confirm_text',
      ),
      action: t('merge_now'),
      danger: true,
      typeName: merged.code ?? merged.name,
      go: async () => {
        const { data: answer } = await send(mergeCalls.merge, {
          body: { kind, keep_id, merge_id, choices, seen: preview.seen },
        })
        setDone(answer.operation_id)
        notify.done(t('merged_done', { name: nameOf(kept, l) }))
      },
    })
  }
  const swap = () => void navigate(to('/people/merge/:kind/:keep/:merge', { kind, keep: merge_id, merge: keep_id }))
  return (
    <Page
      title={title}
      subtitle={t('compare_text')}
      action={
        <>
          <Button variant="default" leftSection={<IconArrowsExchange size={16} aria-hidden />} onClick={swap}>
            {t('swap')}
          </Button>
          {!preview.two_people && (
            <Button
              variant="default"
              leftSection={<IconUsers size={16} aria-hidden />}
              onClick={() => void sayTwo(preview.kept, preview.merged)}
            >
              {t('two_people')}
            </Button>
          )}
          <Submit color="red" missing={[preview.problems.length > 0 && k('solve_first')]} onClick={() => void go()}>
            {t('merge_now')}
          </Submit>
        </>
      }
    >
      <Stack>
        {preview.problems.length > 0 && (
          <Card title={t('against', { count: preview.problems.length })} text={t('against_text')}>
            <ul className={css.reasons}>
              {preview.problems.map((problem, i) => (
                <li key={i} dir="auto">
                  {problemText(problem, l)}
                </li>
              ))}
            </ul>
          </Card>
        )}
        <Card
          title={t('values')}
          text={t('values_text')}
          aside={
            <Checkbox label={t('values_all')} checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
          }
        >
          <Values
            kind={kind}
            preview={preview}
            all={all}
            choices={choices}
            onChoose={(name, side) => setChoices({ ...choices, [name]: side })}
          />
        </Card>
        <Cards>
          <Parts title={t('follows')} none={t('follows_none')} preview={preview} fate="moves" />
          <Parts title={t('ends')} none={t('ends_none')} preview={preview} fate="ends" />
        </Cards>
      </Stack>
    </Page>
  )
}

function Values({
  kind,
  preview,
  all,
  choices,
  onChoose,
}: {
  kind: MergeKind
  preview: MergePreview
  all: boolean
  choices: Readonly<Record<string, MergedRecord>>
  onChoose: (name: string, side: MergedRecord) => void
}) {
  const t = useT('merging')
  const l = useLanguage()
  const say = useLabel(WORDS[kind])
  const shown = (value: MergePreview['fields'][number]['kept']) =>
    value === null || value === '' ? (
      <span className={css.dim}>–</span>
    ) : typeof value === 'string' ? (
      <bdi>{value}</bdi>
    ) : (
      <bdi>{say([value.name, value.name_local])}</bdi>
    )
  const rows = preview.fields.filter((one) => all || one.differs)
  const head = (of: MergePreview['kept'], text: string) => (
    <>
      <small>{text}</small>
      <span className={css.record}>
        <bdi>{nameOf(of, l)}</bdi> {of.code && <Code>{of.code}</Code>}
      </span>
    </>
  )
  const labelOf = (one: MergePreview['fields'][number]) => say([one.label[0], one.label[1]])
  const sideOf = (one: MergePreview['fields'][number]) => choices[one.name] ?? one.chosen
  const column = (which: 'kept' | 'merged'): TableColumn<MergePreview['fields'][number]> => ({
    key: which,
    label: head(preview[which], t(which)),
    given: (one) => ({ 'data-stays': sideOf(one) === which || undefined }),
    cell: (one) =>
      one.differs && !one.hidden ? (
        <Radio
          name={one.name}
          checked={sideOf(one) === which}
          onChange={() => onChoose(one.name, which)}
          label={shown(one[which])}
          aria-label={`${labelOf(one)}: ${t(which)}`}
        />
      ) : one.hidden ? (
        <span className={css.dim}>{t('hidden')}</span>
      ) : (
        shown(one[which])
      ),
  })
  return (
    <Table
      label={t('values')}
      className={css.values}
      rows={rows}
      rowKey={(one) => one.name}
      columns={[{ key: 'field', label: t('field'), head: true, cell: labelOf }, column('kept'), column('merged')]}
      empty={<span className={css.dim}>{t('values_same')}</span>}
    />
  )
}

function Parts({
  title,
  none,
  preview,
  fate,
}: {
  title: string
  none: string
  preview: MergePreview
  fate: 'moves' | 'ends'
}) {
  const t = useT('merging')
  const parts = preview.parts.filter((one) => one.fate === fate)
  return (
    <Card title={title}>
      {parts.length ? (
        <dl className={css.parts}>
          {parts.map(({ part, count }) => (
            <div key={part}>
              <dt>{t(`part_${part}`)}</dt>
              <dd>{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className={css.dim}>{none}</p>
      )}
    </Card>
  )
}
