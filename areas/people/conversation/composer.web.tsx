/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions -- files are dropped anywhere on the form; the button does the same */
import { ActionIcon, Button, Textarea, Tooltip } from '@mantine/core'
import { IconPaperclip, IconSend, IconX } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { fileCalls } from '#kit/contract/kit.area.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Problems } from '#kit/web/feedback/index.ts'
import { formatBytes, useT } from '#kit/web/i18n/index.ts'
import { LARGEST_FILE, MOST_FILES } from './limits.contract.ts'
import css from './conversation.module.css'

interface Kept {
  readonly id: number
  readonly name: string
  readonly size: number
}
/** What is sent: the same key until it is stored, so that a retry does not say it twice. */
export interface Said {
  readonly body: string
  readonly file_ids: number[]
  readonly key: string
}

/** A key of 122 random bits, also where the page came without encryption. */
const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const sameSaid = (one: Omit<Said, 'key'>, other: Omit<Said, 'key'>): boolean =>
  one.body === other.body && one.file_ids.join() === other.file_ids.join()

/**
 * Where something is written: text, and files that are chosen, dropped or pasted. Enter sends where `quick`, with Shift it
 * begins a line.
 */
export function Composer({
  label,
  send: say,
  action,
  quick,
  optionalText,
  ready = true,
  minRows = 3,
  onTyping,
  beside,
  insert,
}: {
  label: string
  send: (said: Said) => Promise<unknown>
  action: string
  quick?: boolean
  /** Files alone are enough. */
  optionalText?: boolean
  ready?: boolean
  minRows?: number
  onTyping?: () => void
  beside?: ReactNode
  /** What else goes into the text: given what puts a text at its end. */
  insert?: (put: (text: string) => void) => ReactNode
}) {
  const t = useT('conversation')
  const picker = useRef<HTMLInputElement>(null)
  const id = useId()
  const tried = useRef<Said | null>(null)
  const [body, setBody] = useState('')
  const [files, setFiles] = useState<readonly Kept[]>([])
  const [refused, setRefused] = useState<string | null>(null)
  const { busy, problem, go, send } = useChange()
  const take = async (chosen: Iterable<File>) => {
    setRefused(null)
    const all = [...chosen]
    if (files.length + all.length > MOST_FILES) return setRefused(t('files_most', { count: MOST_FILES }))
    const large = all.find((file) => file.size > LARGEST_FILE)
    if (large) return setRefused(t('file_large', { name: large.name, max: LARGEST_FILE / 1_000_000 }))
    for (const file of all) {
      const done = await go(() => send(fileCalls.uploadFile, { file }))
      if (!done) return
      setFiles((before) => [...before, done.answer.data])
    }
  }
  const can = ready && !busy && (body.trim() !== '' || (Boolean(optionalText) && files.length > 0))
  const submit = async () => {
    if (!can) return
    const said = { body: body.trim(), file_ids: files.map((file) => file.id) }
    // Sent again as it was, it may be stored already; changed since, it is something else.
    tried.current = tried.current && sameSaid(tried.current, said) ? tried.current : { ...said, key: newKey() }
    const kept = files
    const empty = () => {
      setBody('')
      setFiles([])
    }
    // Who writes quickly goes on while it is sent.
    if (quick) empty()
    const done = await go(async () => {
      await say(tried.current!)
      return true
    })
    if (done) {
      tried.current = null
      if (!quick) empty()
    } else if (quick) {
      setBody((since) => (since ? `${said.body}\n${since}` : said.body))
      setFiles((since) => [...kept, ...since])
    }
  }
  const field = (
    <Textarea
      id={id}
      {...(quick ? { 'aria-label': label, placeholder: label } : { label })}
      className={css.field}
      autosize
      minRows={minRows}
      maxRows={quick ? 5 : 12}
      maxLength={4000}
      dir="auto"
      value={body}
      onChange={(event) => {
        setBody(event.currentTarget.value)
        onTyping?.()
      }}
      onPaste={(event) => {
        if (!event.clipboardData.files.length) return
        event.preventDefault()
        void take(event.clipboardData.files)
      }}
      onKeyDown={(event) => {
        if (!quick || event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
        event.preventDefault()
        void submit()
      }}
    />
  )
  const choose = () => picker.current?.click()
  return (
    <form
      className={css.composer}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void take(event.dataTransfer.files)
      }}
    >
      {problem !== null && <Problems error={problem} />}
      {!quick && field}
      {files.length > 0 && (
        <ul className={css.files}>
          {files.map((file) => (
            <li key={file.id}>
              <bdi>{file.name}</bdi> <small>{formatBytes(file.size)}</small>
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={t('file_remove', { name: file.name })}
                onClick={() => setFiles(files.filter((one) => one.id !== file.id))}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {refused && (
        <p className={css.refused} role="alert">
          {refused}
        </p>
      )}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t('files_add')}
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          void take(chosen)
        }}
      />
      {quick ? (
        <div className={css.quick}>
          <Tooltip label={t('files_add')}>
            <ActionIcon variant="subtle" color="gray" size={38} aria-label={t('files_add')} onClick={choose}>
              <IconPaperclip size={19} aria-hidden />
            </ActionIcon>
          </Tooltip>
          {field}
          <Tooltip label={action}>
            <ActionIcon type="submit" size={38} aria-label={action} disabled={!can} loading={busy}>
              <IconSend size={19} className="pointing" aria-hidden />
            </ActionIcon>
          </Tooltip>
        </div>
      ) : (
        <div className={css.buttons}>
          <Button variant="subtle" color="gray" leftSection={<IconPaperclip size={16} aria-hidden />} onClick={choose}>
            {t('files_add')}
          </Button>
          {insert?.((text) => setBody((since) => (since.trim() ? `${since}\n${text}` : text).slice(0, 4000)))}
          {beside}
          <Button
            type="submit"
            disabled={!can}
            loading={busy}
            leftSection={<IconSend size={16} className="pointing" aria-hidden />}
          >
            {action}
          </Button>
        </div>
      )}
    </form>
  )
}
