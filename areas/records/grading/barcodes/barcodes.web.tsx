import { Button, NumberInput, TextInput } from '@mantine/core'
import { IconBarcode, IconEye, IconPrinter } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { codeTyped, codeWritten } from '#kit/contract/papers.ts'
import type { ResponseOf } from '#kit/contract/index.ts'
import { ApiError, download, useCall, useChange } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Name, Problems, Status, confirm, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { formatInstant, formatNumber, nameOf, paperLanguageOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { ControlBadge } from '../parts.web.tsx'
import { barcodeCalls, type BarcodeOffering, type ExamPaper } from './barcodes.contract.ts'
import css from '../grading.module.css'

type Opened = ResponseOf<typeof barcodeCalls.open>['data']
const CONTROL = '/control/offerings'

/** Papers of an offering by their barcodes: marked by who sees no name, and handled by who may. */
export default function OfferingBarcodes() {
  const t = useT('grading')
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(barcodeCalls.show, { params: { id } })
  const [opened, setOpened] = useState<Opened | null>(null)
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const offering = data?.data
  const may = (what: BarcodeOffering['abilities'][number]) => offering?.abilities.includes(what) ?? false
  return (
    <Page
      title={t('barcodes')}
      subtitle={
        offering ? (
          <>
            <Name row={offering.course} /> <Code>{`${offering.course.code} (${offering.code})`}</Code>
          </>
        ) : (
          ' '
        )
      }
      facts={[
        { label: t('papers'), value: <Code>{offering ? formatNumber(offering.papers) : '–'}</Code> },
        { label: t('papers_marked'), value: <Code>{offering ? formatNumber(offering.marked) : '–'}</Code> },
        { label: t('papers_missing'), value: <Code>{offering ? formatNumber(offering.missing) : '–'}</Code> },
        ...(offering ? [{ label: t('status'), value: <ControlBadge status={offering.control_status} /> }] : []),
      ]}
    >
      {!offering ? (
        <Bone height={320} />
      ) : (
        <Stack>
          <p className={css.text}>
            <Status is={offering.names === 'closed' ? 'waits' : 'ready'} label={t(`names_${offering.names}`)} />{' '}
            {t(`names_${offering.names}_text`)}
          </p>
          {(may('generate') || may('labels') || may('open')) && (
            <Manage offering={offering} onOpened={setOpened} refetch={() => void refetch()} />
          )}
          {opened && <Outcome of={opened} />}
          {may('history') && <History id={id} />}
          {may('mark') && <Marking offering={offering} refetch={() => refetch()} />}
          {offering.names === 'none' && !may('generate') && (
            <Empty
              icon={<IconBarcode size={28} stroke={1.5} aria-hidden />}
              title={t('names_none')}
              text={t('barcodes_empty')}
            />
          )}
        </Stack>
      )}
    </Page>
  )
}

/** Scanner, mark, Enter, next: one paper after the other. */
function Marking({ offering, refetch }: { offering: BarcodeOffering; refetch: () => Promise<unknown> }) {
  const t = useT('grading')
  const { send } = useChange()
  const [barcode, setBarcode] = useState('')
  const [mark, setMark] = useState('')
  const [seen, setSeen] = useState<ExamPaper | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [last, setLast] = useState<ExamPaper | null>(null)
  const code = useRef<HTMLInputElement>(null)
  const value = useRef<HTMLInputElement>(null)
  const known = new Map(offering.rows.map((row) => [row.code, row]))
  /** A scanner ends with Enter: the paper is read, and the mark is next. A paper that has one says so before it is changed. */
  const read = () => {
    const paper = known.get(codeTyped(barcode)) ?? null
    setSeen(paper)
    setMark(paper?.mark ?? '')
    setError(null)
    value.current?.focus()
    value.current?.select()
  }
  const again = () => {
    setBarcode('')
    setMark('')
    setSeen(null)
    code.current?.focus()
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!barcode.trim()) return code.current?.focus()
    if (document.activeElement === code.current) return read()
    send(barcodeCalls.mark, {
      params: { id: offering.id },
      body: { barcode, mark: mark.trim() || null, version: seen?.version ?? null },
    })
      .then(({ data }) => {
        setLast(data)
        setError(null)
        again()
        return refetch()
      })
      .catch((problem: unknown) => {
        setError(problem)
        const wrong = problem instanceof ApiError ? problem.errors[0]?.field : null
        if (wrong === 'barcode') code.current?.select()
        else value.current?.select()
        // Somebody read it before: what stands there is shown.
        void refetch()
      })
  }
  return (
    <>
      <Card title={t('mark_papers')}>
        <form onSubmit={save} className={css.scan}>
          <TextInput
            ref={code}
            data-autofocus
            autoFocus
            label={t('barcode')}
            placeholder={t('barcode_place')}
            leftSection={<IconBarcode size={16} aria-hidden />}
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            value={barcode}
            onChange={(event) => setBarcode(event.currentTarget.value)}
          />
          <TextInput
            ref={value}
            label={t('mark_of', { max: offering.max ?? '' })}
            inputMode="decimal"
            dir="ltr"
            autoComplete="off"
            value={mark}
            onChange={(event) => setMark(event.currentTarget.value)}
          />
          <Button type="submit">{t(seen ? 'change_mark' : 'save_and_next')}</Button>
        </form>
        <p className={css.text} aria-live="polite" style={{ marginBlockStart: 10, minBlockSize: 22 }}>
          {seen ? (
            <span className={css.warn}>{t('paper_has', { barcode: codeWritten(seen.code), mark: seen.mark })}</span>
          ) : last ? (
            t('paper_saved', { barcode: codeWritten(last.code), mark: last.mark })
          ) : (
            t('scan_text')
          )}
        </p>
        {error !== null && <Problems error={error} />}
      </Card>
      {offering.rows.length > 0 && (
        <Card title={t('papers_marked')}>
          <Table
            label={t('papers_marked')}
            className={css.table}
            height={420}
            rows={offering.rows}
            rowKey={(row) => row.code}
            columns={[
              { key: 'barcode', label: t('barcode'), cell: (row) => <Code>{codeWritten(row.code)}</Code> },
              {
                key: 'mark',
                label: t('mark'),
                figure: true,
                cell: (row) => <Code>{row.mark === 'A' ? t('absent_short') : row.mark}</Code>,
              },
              {
                key: 'actions',
                label: t('actions'),
                unseen: true,
                end: true,
                cell: (row) => (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    onClick={() => {
                      setBarcode(row.code)
                      setSeen(row)
                      setMark(row.mark)
                      setError(null)
                      value.current?.focus()
                    }}
                  >
                    {t('change_mark')}
                  </Button>
                ),
              },
            ]}
          />
        </Card>
      )}
    </>
  )
}

/** What is done by who may know the names. */
function Manage({
  offering,
  onOpened,
  refetch,
}: {
  offering: BarcodeOffering
  onOpened: (answer: Opened) => void
  refetch: () => void
}) {
  const t = useT('grading')
  const { send } = useChange(CONTROL)
  const [spare, setSpare] = useState<number | string>(0)
  const params = { id: offering.id }
  const may = (what: BarcodeOffering['abilities'][number]) => offering.abilities.includes(what)
  const generate = () =>
    void send(barcodeCalls.generate, { params, body: { spare: Number(spare) || 0 } })
      .then(refetch)
      .catch((error: unknown) => notify.error(error))
  const open = async () => {
    const sure = await confirm({
      title: t('open_names'),
      consequence: t('open_names_text', { count: offering.missing }),
      action: t('open_names'),
    })
    if (!sure) return
    try {
      const { data } = await send(barcodeCalls.open, { params, body: {} })
      onOpened(data)
      refetch()
    } catch (error) {
      notify.error(error)
    }
  }
  return (
    <Card title={t('manage_barcodes')}>
      <p className={css.text}>{t('manage_barcodes_text')}</p>
      <div className={css.scan}>
        {may('generate') && (
          <>
            <NumberInput label={t('spare_barcodes')} min={0} max={200} value={spare} onChange={setSpare} />
            <Button
              variant={offering.names === 'none' ? 'filled' : 'default'}
              leftSection={<IconBarcode size={16} aria-hidden />}
              onClick={generate}
            >
              {t('generate_barcodes')}
            </Button>
          </>
        )}
        {may('labels') && (
          <Button
            variant="default"
            leftSection={<IconPrinter size={16} aria-hidden />}
            onClick={() =>
              void withOverlay(download(barcodeCalls.labels, { params: { ...params, lang: paperLanguageOf() } })).catch(
                (error: unknown) => notify.error(error),
              )
            }
          >
            {t('print_labels')}
          </Button>
        )}
        {may('open') && (
          <Button leftSection={<IconEye size={16} aria-hidden />} onClick={() => void open()}>
            {t('open_names')}
          </Button>
        )}
      </div>
    </Card>
  )
}

/** What opening the names came to. */
function Outcome({ of: { taken, left, missing } }: { of: Opened }) {
  const t = useT('grading')
  const lang = useLanguage()
  const named = (one: Opened['missing'][number]) => (
    <li key={one.id}>
      <Code>{one.code}</Code> <bdi>{nameOf(one, lang)}</bdi>
    </li>
  )
  return (
    <Card title={t('names_opened')} aside={<Status is="done" label={t('marks_taken', { count: taken })} />}>
      {missing.length > 0 && (
        <>
          <p className={css.warn}>{t('papers_without_mark', { count: missing.length })}</p>
          <ul>{missing.map(named)}</ul>
        </>
      )}
      {left.length > 0 && (
        <>
          <p className={css.warn}>{t('marks_left', { count: left.length })}</p>
          <ul>{left.map((one) => one.student && named(one.student))}</ul>
        </>
      )}
    </Card>
  )
}

/** What happened to the barcodes, told once the names are open: who put which on whose paper, when, why, and who confirmed it. */
function History({ id }: { id: number }) {
  const t = useT('grading')
  const { data, error, refetch } = useCall(barcodeCalls.history, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const code = (one: string | null) => (one === null ? '–' : <Code>{codeWritten(one)}</Code>)
  return (
    <Card title={t('papers_history')}>
      <p className={css.text}>{t('papers_history_text')}</p>
      {!data ? (
        <Bone height={240} />
      ) : (
        <Table
          label={t('papers_history')}
          className={css.table}
          height={420}
          rows={data.data}
          rowKey={(_one, i) => i}
          columns={[
            { key: 'when', label: t('when'), cell: (one) => formatInstant(one.at) },
            { key: 'what', label: t('what_happened'), cell: (one) => t(`paper_${one.what}`) },
            {
              key: 'student',
              label: t('student'),
              cell: (one) =>
                one.student && (
                  <span className={css.student}>
                    <Name row={one.student} /> <Code>{one.student.code}</Code>
                  </span>
                ),
            },
            { key: 'from', label: t('barcode_before'), cell: (one) => code(one.from) },
            { key: 'to', label: t('barcode_after'), cell: (one) => code(one.to) },
            {
              key: 'reason',
              label: t('reason'),
              cell: (one) => (
                <>
                  <bdi>{one.reason}</bdi>
                  {one.decided_reason && (
                    <div className={css.dim}>
                      <bdi>{one.decided_reason}</bdi>
                    </div>
                  )}
                </>
              ),
            },
            {
              key: 'by',
              label: t('done_by'),
              cell: (one) => (
                <>
                  {one.by ? <Name row={one.by} /> : '–'}
                  {one.really_by && (
                    <div className={css.dim}>
                      <Name row={one.really_by} />
                    </div>
                  )}
                </>
              ),
            },
            {
              key: 'decided_by',
              label: t('confirmed_by'),
              cell: (one) => (one.decided_by ? <Name row={one.decided_by} /> : '–'),
            },
          ]}
        />
      )}
    </Card>
  )
}
