import { Button, Modal, NativeSelect, SegmentedControl } from '@mantine/core'
import { IconCertificate, IconDownload, IconQrcode } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { paperCalls } from '#kit/contract/papers.ts'
import type { Disclosure, IssuableKind, PaperRow, Papers } from '#kit/contract/papers.ts'
import type { PaperLanguage } from '#kit/contract/words.ts'
import { download } from '../api/client.ts'
import { refresh, useCall, useChange } from '../api/hooks.ts'
import { notify } from '../feedback/notify.tsx'
import { Empty, Failed, Problems } from '../feedback/problems.tsx'
import { Submit } from '../feedback/submit.tsx'
import { Code, Status } from '../feedback/words.tsx'
import { problemText, useLabel, useT } from '../i18n/catalogue.ts'
import { formatInstant, nameOf } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { DataTable } from '../list/data-table.tsx'
import type { RowAction } from '../list/row-action.ts'
import { askReason } from '../workflow/reason.tsx'
import css from './papers.module.css'

type Titled = Pick<PaperRow, 'title' | 'area'>
/** What papers are called in the reader's language: in the words of the areas that issue them. */
const useTitle = (all: readonly Titled[] = []): ((row: Titled) => string) => {
  const say = useLabel(...new Set(all.flatMap(({ area }) => area ?? [])))
  return ({ title }) => say([title.name, title.name_local])
}

/** Papers that were issued about a record, and what the reader may do with them: issue, open, revoke, say what others see. */
export function IssuedPapers({ of, id }: { of: Papers; id: number }) {
  const t = useT('papers')
  const lang = useLanguage()
  const client = useQueryClient()
  const { send } = useChange()
  const calls = paperCalls(of)
  const [issuing, setIssuing] = useState(false)
  const { data, error, refetch } = useCall(calls.list, { params: { id } })
  const titleOf = useTitle(data && [...data.data, ...data.meta.issue])
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />

  const again = () => refresh(client, of.path)
  const open = (row: PaperRow) =>
    void download(calls.open, { params: { id, paper: row.id } }).catch((problem: unknown) => notify.error(problem))
  const revoke = async (row: PaperRow) => {
    const names = { paper: titleOf(row), serial: row.serial }
    const reason = await askReason({
      title: t('paper_revoke_title', names),
      text: t('paper_revoke_text'),
      action: t('paper_revoke'),
      danger: true,
      go: (given) => send(calls.revoke, { params: { id, paper: row.id }, body: { reason: given } }),
    })
    if (reason === null) return
    notify.done(t('paper_revoked_done', names))
    await again()
  }
  const disclose = (row: PaperRow, disclosure: Disclosure) =>
    send(calls.disclose, { params: { id, paper: row.id }, body: { disclosure } })
      .then(() => notify.done(t('paper_disclosure_saved')))
      .catch((problem: unknown) => notify.error(problem))
      .finally(() => void again())

  const actions = (row: PaperRow): RowAction[] => [
    { key: 'verify', label: t('paper_verify'), icon: <IconQrcode size={15} />, href: row.address },
    ...(row.abilities.includes('revoke')
      ? [{ key: 'revoke', label: t('paper_revoke'), tone: 'refused' as const, onSelect: () => void revoke(row) }]
      : []),
  ]
  const holds = data?.data.some((row) => row.abilities.includes('disclose'))
  const kinds = data?.meta.issue ?? []
  return (
    <div className={css.papers}>
      {kinds.length > 0 && (
        <div>
          <Button leftSection={<IconCertificate size={16} aria-hidden />} onClick={() => setIssuing(true)}>
            {t('paper_issue')}
          </Button>
        </div>
      )}
      <DataTable
        caption={t('papers')}
        rows={data?.data}
        expected={2}
        empty={<Empty title={t('papers_empty')} text={t('papers_empty_text')} />}
        rowName={(row) => `${titleOf(row)} ${row.serial}`}
        inline={(row) =>
          row.abilities.includes('open')
            ? {
                key: 'open',
                label: t('paper_open'),
                icon: <IconDownload size={15} aria-hidden />,
                onSelect: () => open(row),
              }
            : row.withheld
              ? {
                  key: 'open',
                  label: t('paper_open'),
                  icon: <IconDownload size={15} aria-hidden />,
                  disabled: problemText(row.withheld),
                }
              : null
        }
        actions={actions}
        columns={[
          { key: 'kind', label: ['Paper', 'الوثيقة'], width: 200, cell: (row) => <bdi>{titleOf(row)}</bdi> },
          {
            key: 'serial',
            label: ['Serial number', 'الرقم المسلسل'],
            width: 160,
            cell: (row) => <Code>{row.serial}</Code>,
          },
          {
            key: 'state',
            label: ['State', 'الحالة'],
            width: 200,
            cell: (row) =>
              row.revoked_at ? (
                <span className={css.revoked} title={row.revoked_reason ?? undefined}>
                  <Status is="revoked" label={t('paper_revoked')} />
                  <small dir="auto">{row.revoked_reason}</small>
                </span>
              ) : (
                <span className={css.revoked}>
                  <Status is={row.state} label={t(`paper_${row.state}`)} />
                  {row.withheld && <small>{problemText(row.withheld)}</small>}
                </span>
              ),
          },
          {
            key: 'lang',
            label: ['Language', 'اللغة'],
            width: 110,
            cell: (row) => t(row.lang === 'ar' ? 'arabic' : 'english'),
          },
          ...(holds
            ? [
                {
                  key: 'disclosure',
                  label: ['What others see', 'ما يظهر للغير'] as const,
                  width: 210,
                  cell: (row: PaperRow) =>
                    row.abilities.includes('disclose') ? (
                      <NativeSelect
                        size="xs"
                        aria-label={`${t('paper_disclosure')}: ${row.serial}`}
                        value={row.disclosure}
                        onChange={(event) => void disclose(row, event.currentTarget.value as Disclosure)}
                        data={row.disclosures.map((value) => ({ value, label: t(`paper_${value}`) }))}
                      />
                    ) : (
                      t(`paper_${row.disclosure}`)
                    ),
                },
              ]
            : []),
          {
            key: 'issued_at',
            label: ['Issued', 'تاريخ الإصدار'],
            width: 180,
            cell: (row) => formatInstant(row.issued_at),
          },
          {
            key: 'issued_by',
            label: ['By', 'بواسطة'],
            width: 180,
            cell: (row) => <bdi>{row.issued_by ? nameOf(row.issued_by, lang) : '–'}</bdi>,
          },
        ]}
      />
      {issuing && <Issue of={of} id={id} kinds={kinds} onClose={() => setIssuing(false)} />}
    </div>
  )
}

/** Asks which paper in which language, and issues it. */
function Issue({
  of,
  id,
  kinds,
  onClose,
}: {
  of: Papers
  id: number
  kinds: readonly IssuableKind[]
  onClose: () => void
}) {
  const t = useT('papers')
  const lang = useLanguage()
  const titleOf = useTitle(kinds)
  const client = useQueryClient()
  const { send } = useChange()
  const [{ kind, languages, refused }, setKind] = useState(kinds.find((one) => !one.refused) ?? kinds[0]!)
  const own: PaperLanguage = lang === 'ar' ? 'ar' : 'en'
  const [chosen, setChosen] = useState<PaperLanguage>(own)
  const paperLanguage = languages.includes(chosen) ? chosen : languages[0]!
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const issue = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const { data } = await send(paperCalls(of).issue, { params: { id }, body: { kind, lang: paperLanguage } })
      notify.done(t('paper_issued', { paper: titleOf(data), serial: data.serial }))
      void refresh(client, of.path)
      onClose()
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={t('paper_issue')}>
      <div className={css.papers}>
        <NativeSelect
          label={t('paper_kind')}
          value={kind}
          onChange={(event) => setKind(kinds.find((one) => one.kind === event.currentTarget.value)!)}
          data={kinds.map((one) => ({ value: one.kind, label: titleOf(one) }))}
        />
        <SegmentedControl
          fullWidth
          value={paperLanguage}
          onChange={(value) => setChosen(value)}
          aria-label={t('paper_language')}
          data={languages.map((value) => ({ value, label: t(value === 'ar' ? 'arabic' : 'english') }))}
        />
        <p className={css.text}>{refused ? problemText(refused) : t('paper_issue_text')}</p>
        {problem !== null && <Problems error={problem} />}
        <div className={css.buttons}>
          <Submit
            missing={[refused !== null && t('paper_kind')]}
            onCancel={onClose}
            loading={busy}
            onClick={() => void issue()}
            data-autofocus
          >
            {t('paper_issue')}
          </Submit>
        </div>
      </div>
    </Modal>
  )
}
