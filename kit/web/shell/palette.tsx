/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events --
   the combobox pattern of ARIA: focus stays in the field, which handles the keys of its list */
import { Loader, Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { useT } from '../i18n/catalogue.ts'
import { Code } from '../feedback/words.tsx'
import { usePaletteEntries, type PaletteProps } from './palette-entries.tsx'
import css from './palette.module.css'

/** Goes to any screen, person or course, and does what the shell can do. */
export default function Palette(props: PaletteProps) {
  const t = useT('kit')
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search.trim())
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const ids = useId()
  const { entries, searching, failed } = usePaletteEntries(props, wanted)
  const sections = [...new Set(entries.map((e) => e.section))].map(
    (section) => [section, entries.filter((e) => e.section === section)] as const,
  )
  const ordered = sections.flatMap(([, of]) => of)
  const index = Math.min(at, Math.max(0, ordered.length - 1))
  const current = ordered[index]
  // Whoever types fast presses Enter before what was typed last has been looked for: it is gone there once it was.
  const sent = useRef<string | null>(null)
  useEffect(() => {
    if (sent.current !== wanted) return
    sent.current = null
    current?.go()
  }, [wanted, current])
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- follows the highlighted entry
  }, [index])

  return (
    <Modal
      opened
      onClose={props.close}
      withCloseButton={false}
      padding={0}
      size={620}
      yOffset="12vh"
      centered={false}
      attributes={{ content: { 'aria-label': t('search_or_go') } }}
      radius="lg"
    >
      <div className={css.field}>
        <IconSearch size={19} aria-hidden />
        <input
          data-autofocus
          className={css.input}
          role="combobox"
          aria-expanded
          aria-controls={`${ids}list`}
          aria-activedescendant={current ? `${ids}${index}` : undefined}
          aria-label={t('search_or_go')}
          placeholder={t('palette_placeholder')}
          value={search}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            setAt(0)
            sent.current = null
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
              event.preventDefault()
              const step = event.key === 'ArrowDown' ? 1 : -1
              setAt((index + step + ordered.length) % Math.max(1, ordered.length))
            } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
              event.preventDefault()
              if (wanted === search.trim()) current?.go()
              else sent.current = search.trim()
            }
          }}
        />
        {searching && <Loader size={16} aria-label={t('palette_searching')} />}
      </div>
      <div className={css.list} role="listbox" id={`${ids}list`} aria-label={t('search_or_go')} ref={list}>
        {sections.map(([section, of]) => (
          <div key={section} role="group" aria-label={section}>
            <div className={css.section} aria-hidden>
              {section}
            </div>
            {of.map((entry) => {
              const i = ordered.indexOf(entry)
              return (
                <div
                  key={entry.key}
                  id={`${ids}${i}`}
                  role="option"
                  aria-selected={i === index}
                  className={css.entry}
                  onPointerMove={() => setAt(i)}
                  onClick={entry.go}
                >
                  <span className={css.icon}>{entry.icon}</span>
                  <span className={css.texts}>
                    <bdi>{entry.title}</bdi>
                    {entry.second && <bdi className={css.second}>{entry.second}</bdi>}
                  </span>
                  {entry.code && <Code className={css.code}>{entry.code}</Code>}
                </div>
              )
            })}
          </div>
        ))}
        {/* What was not searched is not said to be missing. */}
        {failed && !searching && (
          <p className={css.nothing} role="alert">
            {t('palette_failed')}
          </p>
        )}
        {wanted && ordered.length === 0 && !searching && !failed && (
          <p className={css.nothing}>{t('palette_empty', { search: wanted })}</p>
        )}
      </div>
    </Modal>
  )
}
