import { Button, Checkbox, FileInput, Modal, NumberInput, Textarea } from '@mantine/core'
import { IconCheck, IconFileText, IconRotate, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { act, Empty, Name, notify, Problems, Status } from '#kit/web/feedback/index.ts'
import { Optional } from '#kit/web/form/optional.tsx'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatInstant, formatNumber, useT } from '#kit/web/i18n/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { thesisCalls, type ThesisRemark, type ThesisVersion, type WholeThesis } from '../thesis/whole.contract.ts'
import css from '../theses.module.css'

/** Versions of the manuscript, each with what was said at its pages. */
export function Manuscript({ id, whole, status }: { id: number; whole: WholeThesis; status: string }) {
  const t = useT('theses')
  const [handing, setHanding] = useState(false)
  const may = whole.may.write && ['approved', 'discussed'].includes(status)
  return (
    <Stack>
      {(may || whole.versions.length === 0) && (
        <Card
          title={t('manuscript')}
          text={t('manuscript_text')}
          aside={
            may && (
              <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setHanding(true)}>
                {t('add_version')}
              </Button>
            )
          }
        >
          {whole.versions.length === 0 && <Empty title={t('no_versions')} text={t('no_versions_text')} />}
        </Card>
      )}
      {whole.versions.map((one) => (
        <Version key={one.id} id={id} of={one} whole={whole} />
      ))}
      {handing && <HandIn id={id} onClose={() => setHanding(false)} />}
    </Stack>
  )
}

function Version({ id, of, whole }: { id: number; of: ThesisVersion; whole: WholeThesis }) {
  const t = useT('theses')
  const [checking, setChecking] = useState(false)
  const threads = whole.remarks.filter((one) => one.version_id === of.id && one.reply_to === null)
  return (
    <Card
      title={t('version_of', { number: formatNumber(of.number) })}
      text={of.note ?? undefined}
      aside={
        <span className={css.line}>
          {of.similarity !== null && (
            <Status is="done" label={t('similarity_of', { percent: formatNumber(of.similarity) })} />
          )}
          {(whole.may.supervise || whole.may.discuss) && (
            <Button size="compact-sm" variant="subtle" onClick={() => setChecking(true)}>
              {t('add_similarity')}
            </Button>
          )}
        </span>
      }
    >
      <ul className={css.rows}>
        {[of.file, of.similarity_file].map(
          (file) =>
            file && (
              <li key={file.id}>
                <a className={css.file} href={file.url} target="_blank" rel="noreferrer">
                  <IconFileText size={16} aria-hidden />
                  <bdi>{file.name}</bdi>
                </a>
                {file.id === of.file.id && <small>{formatInstant(of.at)}</small>}
              </li>
            ),
        )}
      </ul>
      {threads.map((one) => (
        <Thread key={one.id} id={id} of={one} answers={whole.remarks.filter(({ reply_to }) => reply_to === one.id)} />
      ))}
      <Say id={id} version={of.id} />
      {checking && <Similarity id={id} version={of.id} onClose={() => setChecking(false)} />}
    </Card>
  )
}

function Thread({ id, of, answers }: { id: number; of: ThesisRemark; answers: readonly ThesisRemark[] }) {
  const t = useT('theses')
  const { send } = useChange('/theses')
  const [answering, setAnswering] = useState(false)
  const settled = of.settled_at !== null
  const settle = () =>
    act({
      go: () => send(thesisCalls.settleRemark, { params: { id: of.id }, body: { settled: !settled } }),
      done: () => t(settled ? 'reopened' : 'settled'),
    })
  return (
    <>
      <ul className={css.thread}>
        {[of, ...answers].map((one) => (
          <li key={one.id}>
            <span className={css.line}>
              <small>
                {one.page !== null && `${t('page_of', { page: formatNumber(one.page) })} · `}
                {one.by ? <Name row={one.by} /> : '–'} · {formatInstant(one.at)}
              </small>
              {one === of && <Status is={settled ? 'done' : 'open'} label={t(settled ? 'settled' : 'not_settled')} />}
            </span>
            <p dir="auto">{one.text}</p>
          </li>
        ))}
      </ul>
      <div className={css.line}>
        {!settled && !answering && (
          <Button size="compact-sm" variant="default" onClick={() => setAnswering(true)}>
            {t('answer')}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={settled ? <IconRotate size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />}
          onClick={() => void settle()}
        >
          {t(settled ? 'reopen' : 'settle')}
        </Button>
      </div>
      {answering && <Say id={id} version={of.version_id} reply_to={of.id} onSaid={() => setAnswering(false)} />}
    </>
  )
}

/** A comment at a page, or an answer. */
function Say({
  id,
  version,
  reply_to,
  onSaid,
}: {
  id: number
  version: number
  reply_to?: number
  onSaid?: () => void
}) {
  const t = useT('theses')
  const { busy, problem, go, send } = useChange('/theses')
  const [text, setText] = useState('')
  const [page, setPage] = useState<number | string>('')
  const label = t(reply_to ? 'answer' : 'comment')
  const say = async () => {
    const body = {
      version_id: version,
      text: text.trim(),
      ...(reply_to && { reply_to }),
      ...(page !== '' && { page: Number(page) }),
    }
    if (!(await go(() => send(thesisCalls.remark, { params: { id }, body })))) return
    setText('')
    onSaid?.()
  }
  return (
    <div className={css.say}>
      <Textarea
        label={label}
        autosize
        minRows={2}
        maxLength={4000}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {!reply_to && (
        <NumberInput
          label={<Optional label={t('page')} />}
          value={page}
          onChange={setPage}
          min={1}
          max={5000}
          allowDecimal={false}
          w={120}
        />
      )}
      {problem !== null && <Problems error={problem} />}
      <Submit
        missing={[text.trim() === '' && label]}
        loading={busy}
        onClick={() => void say()}
        {...(onSaid && { onCancel: onSaid })}
      >
        {t('send')}
      </Submit>
    </div>
  )
}

function HandIn({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useT('theses')
  const { busy, problem, go, send } = useChange('/theses')
  const [file, setFile] = useState<File | null>(null)
  const [note, setNote] = useState('')
  const [own, setOwn] = useState(false)
  const hand = async () => {
    const body = { own_work: own ? ('true' as const) : ('false' as const), ...(note.trim() && { note: note.trim() }) }
    if (!(await go(() => send(thesisCalls.addVersion, { params: { id }, body, file: file! })))) return
    notify.done(t('kept'))
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('add_version')}>
      <div className={css.say}>
        <FileInput label={t('file')} accept="application/pdf" value={file} onChange={setFile} />
        <Textarea
          label={<Optional label={t('note')} />}
          autosize
          minRows={2}
          maxLength={2000}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <Checkbox label={t('own_work')} checked={own} onChange={({ currentTarget }) => setOwn(currentTarget.checked)} />
        {problem !== null && <Problems error={problem} />}
        <Submit
          missing={[!file && t('file'), !own && t('own_work')]}
          loading={busy}
          onClick={() => void hand()}
          onCancel={onClose}
        >
          {t('hand_in')}
        </Submit>
      </div>
    </Modal>
  )
}

function Similarity({ id, version, onClose }: { id: number; version: number; onClose: () => void }) {
  const t = useT('theses')
  const { busy, problem, go, send } = useChange('/theses')
  const [file, setFile] = useState<File | null>(null)
  const [percent, setPercent] = useState<number | string>('')
  const keep = async () => {
    const body = { version_id: version, percent: Number(percent) }
    if (!(await go(() => send(thesisCalls.similarity, { params: { id }, body: body, file: file! })))) return
    notify.done(t('kept'))
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('add_similarity')}>
      <div className={css.say}>
        <NumberInput label={t('similarity')} value={percent} onChange={setPercent} min={0} max={100} decimalScale={1} />
        <FileInput label={t('similarity_report')} accept="application/pdf" value={file} onChange={setFile} />
        {problem !== null && <Problems error={problem} />}
        <Submit
          missing={[!file && t('similarity_report'), percent === '' && t('similarity')]}
          loading={busy}
          onClick={() => void keep()}
          onCancel={onClose}
        >
          {t('save')}
        </Submit>
      </div>
    </Modal>
  )
}
