/* oxlint-disable jsx-a11y/prefer-tag-over-role -- chips stand among the words, so that the element itself is the text box */
import { Button, Input, Menu } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { CERTIFICATE_PLACES } from '#areas/common/settings/university/kinds.contract.ts'
import { useFormValue } from '#kit/web/form/form.tsx'
import { STAFF_PLACES, type TextPlace } from './places.contract.ts'
import type { FieldInputProps } from '#kit/web/fields/inputs.tsx'
import { useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { TEXT_PLACE_NAMES } from './places.contract.ts'
import { templateParts } from './template.rules.ts'
import css from './template.module.css'

type Say = (place: TextPlace) => string

/** A place as it stands among the words: one thing, which is inserted and deleted whole. */
function chip(place: TextPlace, say: Say): HTMLElement {
  const element = document.createElement('span')
  element.contentEditable = 'false'
  element.dataset.place = place
  element.textContent = say(place)
  return element
}
/** Behind a field that nothing follows there is no place for the caret: this is one. It is not part of the text. */
const PLACE = '\u200B'
/** The nodes of a text. */
const nodesOf = (text: string, say: Say): Node[] =>
  templateParts(text).flatMap((part): Node[] =>
    'place' in part
      ? [chip(part.place, say)]
      : part.text
          .split('\n')
          .flatMap((line, i): Node[] => [...(i ? [document.createElement('br')] : []), document.createTextNode(line)]),
  )
const markup = (text: string, say: Say): string => {
  const holder = document.createElement('div')
  holder.append(...nodesOf(text, say))
  return holder.innerHTML
}
/** What stands in the box, with places in braces. */
function textIn(node: Node): string {
  if (node instanceof HTMLElement && node.dataset.place) return `{${node.dataset.place}}`
  if (node.nodeName === 'BR') return '\n'
  if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? '').replaceAll('\u00A0', ' ').replaceAll(PLACE, '')
  return [...node.childNodes].map(textIn).join('')
}
/** A line that was begun and is empty is held open by a break of the browser's own. */
const written = (box: HTMLElement): string => textIn(box).replace(/\n$/, '')
function draw(box: HTMLElement, text: string, say: Say): void {
  box.replaceChildren(...nodesOf(text, say))
  if (text.endsWith('\n')) box.append(document.createElement('br'))
  if (text.endsWith('}')) box.append(PLACE)
}

/** What stands at the caret is replaced, so that the browser's own undo knows it. It has no other way for that. */
const insert = (html: string) => document.execCommand('insertHTML', false, html)

/** What is before the caret is the field, not the place behind it. */
function stepOver(): void {
  const selection = getSelection()
  const node = selection?.anchorNode
  if (!selection?.isCollapsed || !(node instanceof Text)) return
  const at = selection.anchorOffset
  if (node.data.slice(0, at).endsWith(PLACE)) node.deleteData(at - 1, 1)
}

/** Where the caret was when the box was left, to go on there. */
function useCaret(box: React.RefObject<HTMLElement | null>) {
  const kept = useRef<Range | null>(null)
  return {
    keep: () => {
      const now = getSelection()
      if (now?.rangeCount && box.current?.contains(now.anchorNode)) kept.current = now.getRangeAt(0).cloneRange()
    },
    back: () => {
      const [element, selection] = [box.current, getSelection()]
      if (!element || !selection) return
      element.focus()
      if (!kept.current || !element.contains(kept.current.startContainer)) {
        selection.selectAllChildren(element)
        return selection.collapseToEnd()
      }
      selection.removeAllRanges()
      selection.addRange(kept.current)
    },
  }
}

/** Fields are called as the reader calls them: in another language it begins anew, with what was typed. */
export function TemplateInput(props: FieldInputProps) {
  const typed = useRef(props.defaultValue)
  const onChange = (value: unknown) => {
    typed.current = value
    props.onChange(value)
  }
  const language = useLanguage()
  return <Template key={language} {...props} typed={typed} onChange={onChange} />
}

/** A text with fields of a person among its words. Fields are chosen from a menu; what is typed or pasted in braces becomes one. */
function Template({ typed, ...props }: FieldInputProps & { typed: React.RefObject<unknown> }) {
  const t = useT('certificates')
  const say = useLabel()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const text = useRef('')
  const caret = useCaret(box)
  const arabic = props.name === 'body_local'
  const places: readonly TextPlace[] = useFormValue('for_staff') ? STAFF_PLACES : CERTIFICATE_PLACES
  const named: Say = (place) => say(TEXT_PLACE_NAMES[place])
  const begin = useEffectEvent((element: HTMLElement) => {
    text.current = String(typed.current ?? '')
    draw(element, text.current, named)
  })
  useEffect(() => {
    const element = box.current!
    begin(element)
    // Nothing is bold here, and nothing is dropped in.
    const plain = (event: InputEvent) => {
      if (event.inputType.startsWith('format') || event.inputType === 'insertFromDrop') event.preventDefault()
    }
    element.addEventListener('beforeinput', plain)
    return () => element.removeEventListener('beforeinput', plain)
  }, [])
  const report = () => {
    text.current = written(box.current!)
    props.onChange(text.current.trim() ? text.current : null)
  }
  const put = (place: TextPlace) => {
    caret.back()
    insert(markup(`{${place}}`, named) + PLACE)
    caret.keep()
    report()
  }
  const copy = (event: React.ClipboardEvent) => {
    const selection = getSelection()
    if (!selection?.rangeCount) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', textIn(selection.getRangeAt(0).cloneContents()))
    if (event.type === 'cut') document.execCommand('delete')
  }
  return (
    <Input.Wrapper
      label={props.label}
      error={props.error}
      description={props.description}
      labelElement="div"
      labelProps={{ id: `${id}-label` }}
    >
      <div className={css.template} data-error={props.error ? true : undefined}>
        <Menu
          disabled={props.disabled}
          returnFocus={false}
          transitionProps={{ duration: 0 }}
          position="bottom-start"
          withinPortal
        >
          <Menu.Target>
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconBraces size={15} aria-hidden />}
              disabled={props.disabled}
              onMouseDown={caret.keep}
            >
              {t('insert_field')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            {places.map((place) => (
              // The menu first gives the focus back.
              <Menu.Item key={place} onClick={() => setTimeout(() => put(place))}>
                {named(place)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <div
          ref={box}
          className={css.text}
          contentEditable={!props.disabled}
          suppressContentEditableWarning
          role="textbox"
          tabIndex={props.disabled ? undefined : 0}
          aria-multiline="true"
          aria-labelledby={`${id}-label`}
          aria-invalid={props.error ? true : undefined}
          dir={arabic ? 'rtl' : 'ltr'}
          lang={arabic ? 'ar' : 'en'}
          onInput={report}
          onKeyDown={(event) => {
            if (event.key === 'Backspace') stepOver()
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
            event.preventDefault()
            document.execCommand('insertLineBreak')
          }}
          onCopy={copy}
          onCut={copy}
          onPaste={(event) => {
            event.preventDefault()
            insert(markup(event.clipboardData.getData('text/plain').replaceAll('\r', ''), named))
          }}
          onBlur={() => {
            caret.keep()
            const element = box.current!
            // What was typed in braces is a field now.
            const places = templateParts(text.current).filter((part) => 'place' in part).length
            if (places !== element.querySelectorAll('[data-place]').length) draw(element, text.current, named)
            props.onBlur?.()
          }}
        />
      </div>
    </Input.Wrapper>
  )
}
