/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a panel over the page is a dialog that the library places */
import { useState } from 'react'
import { Button, Menu, Popover } from '@mantine/core'
import { IconFilter, IconX } from '@tabler/icons-react'
import type { Field } from '#kit/contract/field.ts'
import { notify } from '../feedback/index.ts'
import { FILTER_WORDS } from '../fields/filter-words.tsx'
import { useLabel, useT } from '../i18n/index.ts'
import { later } from '../later.ts'
import { emptyFilter } from './address.ts'
import css from './list.module.css'

const inputs = later(() => import('../fields/filters.tsx'))

/** A filter a list offers: by field, under its name. */
export type FilterFields = Readonly<Record<string, Field>>

/** Filters as chips that can be changed and removed, and a menu of those not in use. */
export function FilterBar({
  fields,
  values,
  onChange,
}: {
  fields: FilterFields
  values: Readonly<Record<string, unknown>>
  onChange: (values: Record<string, unknown>) => void
}) {
  const t = useT('kit-screens')
  const say = useLabel()
  const [open, setOpen] = useState<string | null>(null)
  const show = (name: string) => void inputs.fetched().then(() => setOpen(name), notify.error)
  const offered = Object.entries(fields).filter(([, field]) => FILTER_WORDS[field.kind])
  const used = offered.filter(([name]) => !emptyFilter(values[name]) || open === name)
  const unused = offered.filter(([name]) => !used.some(([u]) => u === name))
  const set = (name: string, value: unknown) => {
    const { [name]: _old, ...rest } = values
    onChange(emptyFilter(value) ? rest : { ...rest, [name]: value })
  }
  return (
    <>
      {used.map(([name, field]) => {
        const Words = FILTER_WORDS[field.kind]!
        const Input = inputs.now?.FILTER_INPUTS[field.kind]
        const label = say(field.label)
        const value = values[name]
        return (
          <Popover
            key={name}
            opened={open === name}
            onChange={(o) => (o ? show(name) : setOpen(null))}
            trapFocus
            returnFocus
            position="bottom-start"
            withinPortal
            withRoles={false}
          >
            <Popover.Target>
              <span className={css.chip}>
                <button
                  type="button"
                  aria-haspopup="dialog"
                  aria-expanded={open === name}
                  onPointerEnter={inputs.ahead}
                  onClick={() => (open === name ? setOpen(null) : show(name))}
                >
                  <span className={css.chipWords}>
                    {label}
                    {!emptyFilter(value) && (
                      <>
                        {': '}
                        <Words field={field} value={value} />
                      </>
                    )}
                  </span>
                </button>
                <button
                  type="button"
                  aria-label={t('remove_filter', { name: label })}
                  onClick={() => (setOpen(null), set(name, undefined))}
                >
                  <IconX size={13} aria-hidden />
                </button>
              </span>
            </Popover.Target>
            <Popover.Dropdown
              role="dialog"
              aria-label={label}
              onKeyDown={(event) => {
                if (
                  event.key === 'Enter' &&
                  (event.target as HTMLElement).tagName === 'INPUT' &&
                  !event.defaultPrevented
                )
                  setOpen(null)
              }}
            >
              {Input && (
                <Input field={field} name={name} label={label} value={value} onChange={(next) => set(name, next)} />
              )}
            </Popover.Dropdown>
          </Popover>
        )
      })}
      {unused.length > 0 && (
        <Menu withInitialFocusPlaceholder={false} position="bottom-start" onOpen={inputs.ahead}>
          <Menu.Target>
            <Button variant="default" size="xs" h={30} leftSection={<IconFilter size={14} aria-hidden />}>
              {t('add_filter')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={380} style={{ overflowY: 'auto' }}>
            {unused.map(([name, field]) => (
              // The menu gives the focus back to its button first; the panel takes it after.
              <Menu.Item key={name} onClick={() => setTimeout(() => show(name), 60)}>
                {say(field.label)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {used.length > 1 && (
        <Button variant="subtle" size="xs" h={30} color="gray" onClick={() => onChange({})}>
          {t('clear_filters')}
        </Button>
      )}
    </>
  )
}
