import { useState } from 'react'
import type { Ref } from 'react'
import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useT } from '../i18n/index.ts'
import fieldCss from '../fields/fields.module.css'
import css from './list.module.css'

/** The search of a list. What stands in it follows the address, but not what the box itself sent: letters typed since stay. */
export function SearchBox({
  box,
  title,
  value,
  onSearch,
}: {
  box: Ref<HTMLInputElement>
  title: string
  value: string
  onSearch: (text: string) => void
}) {
  const t = useT('kit-screens')
  const [typed, setTyped] = useState(value)
  const [sent, setSent] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    if (value !== sent) setTyped(value)
  }
  const search = useDebouncedCallback((text: string) => {
    setSent(text.trim())
    onSearch(text.trim())
  }, 250)
  return (
    <TextInput
      ref={box}
      className={css.search}
      size="xs"
      styles={{ input: { height: 30, minHeight: 30, fontSize: 13 } }}
      type="search"
      aria-label={t('search_in', { name: title })}
      placeholder={t('search')}
      classNames={{ input: fieldCss.auto }}
      attributes={{ input: { dir: 'auto', enterKeyHint: 'search' } }}
      leftSection={<IconSearch size={15} aria-hidden />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        search(event.currentTarget.value)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && typed) {
          event.stopPropagation()
          setTyped('')
          onSearch('')
        }
        if (event.key === 'ArrowDown') {
          event.preventDefault()
          document.querySelector<HTMLElement>('[data-row]')?.focus()
        }
      }}
    />
  )
}
