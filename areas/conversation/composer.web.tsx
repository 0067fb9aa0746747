/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions -- files are dropped anywhere on the form; the button does the same */
import { ActionIcon, Button, Textarea } from '@mantine/core'
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
}) {
  const t = useT('conversation')
  const picker = useRef<HTMLInputElement>(null)
  const id = useId()
  const key = useRef(newKey())
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
    const done = await go(async () => {
      await say({ body: body.trim(), file_ids: files.map((file) => file.id), key: key.current })
      return true
    })
    if (!done) return
    key.current = newKey()
    setBody('')
    setFiles([])
  }
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
      <Textarea
        id={id}
        label={label}
        autosize
        minRows={minRows}
        maxRows={12}
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
      <div className={css.buttons}>
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
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconPaperclip size={16} aria-hidden />}
          onClick={() => picker.current?.click()}
        >
          {t('files_add')}
        </Button>
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
    </form>
  )
}
