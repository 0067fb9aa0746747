import { Button, NumberInput, Select, TextInput } from '@mantine/core'
import { IconBarcode, IconPrinter, IconSearch, IconTableExport } from '@tabler/icons-react'
import { useState } from 'react'
import { codeWritten } from '#kit/contract/papers.ts'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Name, Problems, Status, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { useAtLeast } from '#kit/web/form/least.ts'
import { Asked, PlainForm } from '#kit/web/form/plain-form.tsx'
import { formatInstant, formatNumber, nameOf, paperLanguageOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { MOST_HOLDERS, backupCalls, type ExamBarcodes, type BackupHolder, type PaperChange } from './backup.contract.ts'
import css from '../grading.module.css'

const BARCODES = '/exam-barcodes'

/** Barcodes of a term's exams: backups, labels, and whose is which. */
export default function ExamBarcodesScreen() {
  const t = useT('grading')
  const lang = useLanguage()
  const [address, setAddress] = useSearchParams()
  const term = address.get('term_id')
  const chosen = address.get('offering_id')
  const { data, error, refetch } = useCall(backupCalls.lookups, { query: term ? { term_id: Number(term) } : {} })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const known = data?.data
  const offering = known?.offerings.find((one) => String(one.id) === chosen)
  const sum = (of: (one: ExamBarcodes) => number) =>
    known ? formatNumber(known.offerings.reduce((all, one) => all + of(one), 0)) : '–'
  return (
    <Page
      title={t('exam_barcodes')}
      subtitle={known?.term ? <Name row={known.term} /> : ' '}
      facts={[
        { label: t('papers'), value: <Code>{sum((one) => one.papers)}</Code> },
        { label: t('backup_barcodes'), value: <Code>{sum((one) => one.backups)}</Code> },
      ]}
    >
      {!known ? (
        <Bone height={320} />
      ) : (
        <Stack>
          <Card>
            <div className={css.scan}>
              <Select
                label={t('offering')}
                placeholder={t('choose_offering')}
                searchable
                data={known.offerings.map((one) => ({
                  value: String(one.id),
                  label: `${one.course.code} · ${nameOf(one.course, lang)} (${one.code})`,
                }))}
                value={chosen}
                onChange={(value) =>
                  setAddress(
                    { ...(term && { term_id: term }), ...(value && { offering_id: value }) },
                    { replace: true },
                  )
                }
              />
              <Select
                label={t('term')}
                searchable
                allowDeselect={false}
                data={known.terms.map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))}
                value={term ?? (known.term ? String(known.term.id) : null)}
                onChange={(value) => setAddress(value ? { term_id: value } : {}, { replace: true })}
              />
            </div>
          </Card>
          {offering ? (
            <Offering key={offering.id} offering={offering} />
          ) : (
            <Empty
              icon={<IconBarcode size={28} stroke={1.5} aria-hidden />}
              title={t(known.offerings.length ? 'choose_offering' : 'barcodes_no_exams')}
              text={t('exam_barcodes_text')}
            />
          )}
        </Stack>
      )}
    </Page>
  )
}

/** One offering: how many barcodes there are, backups, labels, and its students. */
function Offering({ offering }: { offering: ExamBarcodes }) {
  const t = useT('grading')
  const { busy, problem, go, send } = useChange(BARCODES)
  const [count, setCount] = useState<number | string>(5)
  const lang = paperLanguageOf()
  const file = (call: typeof backupCalls.exportBarcodes | typeof backupCalls.exportBackups, format: 'xlsx' | 'pdf') =>
    void withOverlay(download(call, { body: { offering_id: offering.id, format, lang } })).catch((error: unknown) =>
      notify.error(error),
    )
  return (
    <>
      <Card
        title={<Name row={offering.course} />}
        aside={<Status is={offering.names === 'closed' ? 'waits' : 'ready'} label={t(`names_${offering.names}`)} />}
      >
        <p className={css.text}>
          {t('barcodes_counted', {
            papers: formatNumber(offering.papers),
            backups: formatNumber(offering.backups),
            without: formatNumber(offering.without),
          })}{' '}
          <Link className={css.link} to={to('/control/offerings/barcode/:id', { id: offering.id })}>
            {t(offering.names === 'none' ? 'generate_barcodes' : 'barcodes_of_offering')}
          </Link>
        </p>
        {offering.names !== 'none' && (
          <div className={css.scan}>
            {offering.names === 'closed' && (
              <>
                <NumberInput label={t('backup_barcodes')} min={1} max={200} value={count} onChange={setCount} />
                <Button
                  loading={busy}
                  leftSection={<IconBarcode size={16} aria-hidden />}
                  onClick={() =>
                    void go(() =>
                      send(backupCalls.generate, { body: { offering_id: offering.id, count: Number(count) || 1 } }),
                    )
                  }
                >
                  {t('make_backups')}
                </Button>
              </>
            )}
            <Button
              variant="default"
              leftSection={<IconPrinter size={16} aria-hidden />}
              onClick={() => file(backupCalls.exportBarcodes, 'pdf')}
            >
              {t('print_labels')}
            </Button>
            <Button
              variant="default"
              disabled={!offering.backups}
              leftSection={<IconPrinter size={16} aria-hidden />}
              onClick={() => file(backupCalls.exportBackups, 'pdf')}
            >
              {t('print_backups')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconTableExport size={16} aria-hidden />}
              onClick={() => file(backupCalls.exportBarcodes, 'xlsx')}
            >
              {t('export_barcodes')}
            </Button>
          </div>
        )}
        {problem !== null && <Problems error={problem} />}
      </Card>
      {offering.names === 'closed' && <Waiting offering={offering} />}
      {offering.names !== 'none' && <Holders offering={offering} />}
    </>
  )
}

/** Changes on papers that are being marked: somebody else than who asked confirms them. */
function Waiting({ offering }: { offering: ExamBarcodes }) {
  const t = useT('grading')
  const { busy, problem, go, send } = useChange(BARCODES)
  const [waiting, setWaiting] = useState<readonly PaperChange[] | null>(null)
  const [why, setWhy] = useState('')
  const show = async () => {
    const { data } = await send(backupCalls.changes, { params: { offering_id: offering.id }, body: {} })
    setWaiting(data)
  }
  const decide = (work: () => Promise<unknown>) =>
    void go(async () => {
      await work()
      setWhy('')
      await show()
    })
  if (!offering.waiting && !waiting?.length) return null
  return (
    <Card
      title={t('paper_changes')}
      aside={<Status is="waits" label={t('paper_changes_count', { count: waiting?.length ?? offering.waiting })} />}
    >
      <p className={css.text}>{t('paper_changes_text')}</p>
      {waiting === null ? (
        <Button loading={busy} onClick={() => void go(show)}>
          {t('show_paper_changes')}
        </Button>
      ) : (
        <>
          <TextInput
            label={t('reason_of_no')}
            maxLength={500}
            value={why}
            onChange={(event) => setWhy(event.currentTarget.value)}
          />
          <Table
            label={t('paper_changes')}
            className={css.table}
            rows={waiting}
            rowKey={(one) => one.id}
            columns={[
              {
                key: 'student',
                label: t('student'),
                cell: (one) => (
                  <span className={css.student}>
                    <Name row={one.student} /> <Code>{one.student.code}</Code>
                  </span>
                ),
              },
              {
                key: 'from',
                label: t('barcode_before'),
                cell: (one) => (one.from ? <Code>{codeWritten(one.from.code)}</Code> : t('no_barcode')),
              },
              {
                key: 'to',
                label: t('barcode_after'),
                cell: (one) => (one.to ? <Code>{codeWritten(one.to.code)}</Code> : t('no_barcode')),
              },
              { key: 'reason', label: t('reason'), cell: (one) => <bdi>{one.reason}</bdi> },
              {
                key: 'asked_by',
                label: t('asked_by'),
                cell: (one) => (
                  <>
                    {one.asked_by ? <Name row={one.asked_by} /> : '–'}
                    <div className={css.dim}>{formatInstant(one.asked_at)}</div>
                  </>
                ),
              },
              {
                key: 'actions',
                label: t('actions'),
                unseen: true,
                end: true,
                cell: (one) => (
                  <>
                    {!one.own && (
                      <Button
                        variant="subtle"
                        size="compact-sm"
                        disabled={busy}
                        onClick={() => decide(() => send(backupCalls.confirm, { params: { id: one.id }, body: {} }))}
                      >
                        {t('confirm_paper_change')}
                      </Button>
                    )}
                    <Submit
                      variant="subtle"
                      size="compact-sm"
                      loading={busy}
                      missing={[why.trim().length < 3 && t('reason_of_no')]}
                      onClick={() =>
                        decide(() => send(backupCalls.reject, { params: { id: one.id }, body: { reason: why } }))
                      }
                    >
                      {t(one.own ? 'take_back_paper_change' : 'reject_paper_change')}
                    </Submit>
                  </>
                ),
              },
            ]}
          />
        </>
      )}
      {problem !== null && <Problems error={problem} />}
    </Card>
  )
}

/** Finds a student and puts another barcode on the paper, or takes it off. */
function Holders({ offering }: { offering: ExamBarcodes }) {
  const t = useT('grading')
  const { busy, problem, go, send } = useChange(BARCODES)
  const atLeast = useAtLeast()
  const [found, setFound] = useState<readonly BackupHolder[] | null>(null)
  const [backup, setBackup] = useState('')
  const [reason, setReason] = useState('')
  const unsaid = reason.trim().length < 3
  const put = (holder: BackupHolder) =>
    setFound((all) => all?.map((one) => (one.registration_id === holder.registration_id ? holder : one)) ?? null)
  const search = (text: string) =>
    void go(async () => {
      const { data } = await send(backupCalls.search, { body: { offering_id: offering.id, text } })
      setFound(data)
    })
  return (
    <Card title={t('find_holder')}>
      <p className={css.text}>{t('manage_barcodes_text')}</p>
      <PlainForm className={css.scan} busy={busy} send={({ text = '' }) => search(text)}>
        <Asked name="text" label={t('holder_text')} autoComplete="off" rule={atLeast(2)} />
        <Button type="submit" loading={busy} leftSection={<IconSearch size={16} aria-hidden />}>
          {t('find')}
        </Button>
        {offering.names === 'closed' && found !== null && found.length > 0 && (
          <>
            <TextInput
              label={t('backup_barcode')}
              placeholder={t('barcode_place')}
              dir="ltr"
              autoComplete="off"
              spellCheck={false}
              value={backup}
              onChange={(event) => setBackup(event.currentTarget.value)}
            />
            <TextInput
              label={t('reason')}
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          </>
        )}
      </PlainForm>
      {problem !== null && <Problems error={problem} />}
      {found !== null && !found.length && <p className={css.text}>{t('holder_none')}</p>}
      <OnlyFirst rows={found?.length ?? 0} most={MOST_HOLDERS} found />
      {found !== null && found.length > 0 && (
        <Table
          label={t('find_holder')}
          className={css.table}
          rows={found}
          rowKey={(one) => one.registration_id}
          columns={[
            {
              key: 'student',
              label: t('student'),
              cell: (one) => (
                <span className={css.student}>
                  <Name row={one.student} /> <Code>{one.student.code}</Code>
                </span>
              ),
            },
            {
              key: 'barcode',
              label: t('barcode'),
              cell: (one) => (
                <>
                  {one.barcode ? <Code>{codeWritten(one.barcode.code)}</Code> : t('no_barcode')}
                  {one.waits && <div className={css.dim}>{t('waits_for_second')}</div>}
                </>
              ),
            },
            {
              key: 'actions',
              label: t('actions'),
              unseen: true,
              end: true,
              cell: (one) =>
                offering.names === 'closed' &&
                !one.waits && (
                  <>
                    <Submit
                      variant="subtle"
                      size="compact-sm"
                      loading={busy}
                      missing={[!backup.trim() && t('backup_barcode'), unsaid && t('reason')]}
                      onClick={() =>
                        void go(async () => {
                          const { data } = await send(backupCalls.attach, {
                            body: { registration_id: one.registration_id, barcode: backup, reason },
                          })
                          put(data)
                          setBackup('')
                          setReason('')
                        })
                      }
                    >
                      {t('attach_backup')}
                    </Submit>
                    {one.barcode && (
                      <Submit
                        variant="subtle"
                        size="compact-sm"
                        loading={busy}
                        missing={[unsaid && t('reason')]}
                        onClick={() =>
                          void go(async () => {
                            const { data } = await send(backupCalls.detach, {
                              params: { id: one.barcode!.id },
                              body: { reason },
                            })
                            put(data)
                            setReason('')
                          })
                        }
                      >
                        {t('detach_barcode')}
                      </Submit>
                    )}
                  </>
                ),
            },
          ]}
        />
      )}
    </Card>
  )
}
