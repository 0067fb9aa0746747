/* oxlint-disable jsx-a11y/prefer-tag-over-role -- formatted text is edited in the element itself, which then is a text box */
import { useEffect, useId, useRef } from 'react'
import { ActionIcon, Input } from '@mantine/core'
import { IconBold, IconItalic, IconLink, IconList, IconListNumbers } from '@tabler/icons-react'
import { useT } from '../i18n/index.ts'
import type { FieldInputProps } from './inputs.tsx'
import { sanitise } from './rich.ts'
import css from './fields.module.css'

/** Formatted text: bold, italic, lists, links. Pasted formatting beyond that is dropped. */
export function RichTextInput(props: FieldInputProps) {
  const t = useT('kit-screens')
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const start = useRef(String(props.defaultValue ?? ''))
  useEffect(() => {
    if (box.current) box.current.innerHTML = sanitise(start.current)
  }, [])
  const report = () => {
    const element = box.current
    if (!element) return
    props.onChange(element.textContent?.trim() ? sanitise(element.innerHTML) : null)
  }
  // execCommand is deprecated without a successor; every browser has it, and it keeps the browser's own undo.
  const run = (command: string, value?: string) => {
    box.current?.focus()
    document.execCommand(command, false, value)
    report()
  }
  const tools = [
    ['bold', t('rich_bold'), IconBold],
    ['italic', t('rich_italic'), IconItalic],
    ['insertUnorderedList', t('rich_bullets'), IconList],
    ['insertOrderedList', t('rich_numbers'), IconListNumbers],
  ] as const
  return (
    <Input.Wrapper
      label={props.label}
      description={props.description}
      error={props.error}
      labelElement="div"
      labelProps={{ id: `${id}-label` }}
    >
      <div className={css.richBox} data-error={props.error ? true : undefined}>
        <div className={css.richBar} role="toolbar" aria-label={t('rich_tools')}>
          {tools.map(([command, label, Icon]) => (
            <ActionIcon
              key={command}
              variant="subtle"
              color="gray"
              aria-label={label}
              onMouseDown={(e) => e.preventDefault()}
              onClick={() => run(command)}
            >
              <Icon size={16} />
            </ActionIcon>
          ))}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('rich_link')}
            onMouseDown={(e) => e.preventDefault()}
            onClick={() => {
              const address = window.prompt(t('rich_link_address'), 'https://')
              if (address && /^https?:\/\/\S+$/i.test(address.trim())) run('createLink', address.trim())
            }}
          >
            <IconLink size={16} />
          </ActionIcon>
        </div>
        <div
          ref={box}
          className={css.rich}
          contentEditable={!props.disabled}
          suppressContentEditableWarning
          role="textbox"
          aria-multiline="true"
          aria-labelledby={`${id}-label`}
          dir="auto"
          onInput={report}
          onBlur={props.onBlur}
          onPaste={(event) => {
            event.preventDefault()
            const html = event.clipboardData.getData('text/html')
            if (html) document.execCommand('insertHTML', false, sanitise(html))
            else document.execCommand('insertText', false, event.clipboardData.getData('text/plain'))
          }}
        />
      </div>
    </Input.Wrapper>
  )
}
