/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions -- files are dropped anywhere on the form; the button does the same */
import { ActionIcon, Button, Textarea, Tooltip } from '@mantine/core'
import { IconPaperclip, IconSend, IconX } from '@tabler/icons-react'
import { useEffect, useId, useRef } from 'react'
import type { ReactNode } from 'react'
import { Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatBytes, useT } from '#kit/web/i18n/index.ts'
import { useUnsaved } from '#kit/web/router/index.ts'
import { useComposer, type Kept, type ComposedMessage } from './use-composer.web.ts'
import css from './conversation.module.css'

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
  missing: others = [],
  minRows = 3,
  begun,
  onBody,
  onTyping,
  beside,
  insert,
}: {
  label: string
  send: (said: ComposedMessage) => Promise<unknown>
  action: string
  quick?: boolean
  /** Files alone are enough. */
  optionalText?: boolean
  /** Labels of fields outside that are still empty. */
  missing?: readonly (string | false)[]
  minRows?: number
  /** What was written earlier. */
  begun?: string
  /** Told what stands there: who asks keeps it as a draft. */
  onBody?: (body: string) => void
  onTyping?: () => void
  beside?: ReactNode
  /** What else goes into the text: given what puts a text at its end. */
  insert?: (put: (text: string) => void) => ReactNode
}) {
  const t = useT('conversation')
  const picker = useRef<HTMLInputElement>(null)
  const id = useId()
  const composer = useComposer({ say, quick, optionalText, ready: !others.some(Boolean), begun })
  const { body, setBody, files, setFiles, refused, busy, problem, take, can, submit } = composer
  const missing = [...others, body.trim() === '' && !(optionalText && files.length > 0) && label]
  // A line of a chat is soon typed again; a letter is not.
  useUnsaved(!quick && ((!onBody && body.trim() !== '') || files.length > 0))
  useEffect(() => onBody?.(body), [body, onBody])
  const field = (
    <Textarea
      id={id}
      {...(quick ? { 'aria-label': label, placeholder: label } : { label })}
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
        if (quick && !can) document.getElementById(id)?.focus()
        else void submit()
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void take(event.dataTransfer.files)
      }}
    >
      {problem !== null && <Problems error={problem} />}
      {!quick && field}
      {files.length > 0 && <Files files={files} onRemove={(id) => setFiles(files.filter((one) => one.id !== id))} />}
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
            <ActionIcon type="submit" size={38} aria-label={action} loading={busy}>
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
          <Submit
            type="submit"
            missing={[...missing]}
            loading={busy}
            leftSection={<IconSend size={16} className="pointing" aria-hidden />}
          >
            {action}
          </Submit>
        </div>
      )}
    </form>
  )
}

/** What was chosen. */
function Files({ files, onRemove }: { files: readonly Kept[]; onRemove: (id: number) => void }) {
  const t = useT('conversation')
  return (
    <ul className={css.files}>
      {files.map((file) => (
        <li key={file.id}>
          <bdi>{file.name}</bdi> <small>{formatBytes(file.size)}</small>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={t('file_remove', { name: file.name })}
            onClick={() => onRemove(file.id)}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </li>
      ))}
    </ul>
  )
}
