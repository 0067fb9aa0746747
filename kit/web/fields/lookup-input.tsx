import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { ActionIcon, Combobox, Group, InputBase, Loader, Pill, PillsInput, Tooltip, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconExternalLink, IconPlus, IconX } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import type { Option, Ref } from '#kit/contract/schema.ts'
import { useCall } from '../api/index.ts'
import { calls, useMaybeMe } from '../auth/index.ts'
import { nameOf, otherNameOf, useLanguage, useT } from '../i18n/index.ts'
import { addressOfRecord } from '../router/index.ts'
import { lastUsed, noteUsed } from './last-used.ts'
import css from './fields.module.css'

/** Options of a resource by what was typed: name in both languages and code, folded by the server. */
function useOptions(resource: string, search: string, filters: Record<string, unknown> | undefined, open: boolean) {
  const [typed] = useDebouncedValue(search.trim(), 150)
  const { data, isFetching, isError } = useCall(
    calls.lookup,
    { body: { name: resource, search: typed, limit: 30, ...(filters && { filters }) } },
    { enabled: open, placeholderData: keepPreviousData, staleTime: 30_000 },
  )
  return {
    options: (data?.data ?? []) as Option[],
    more: data?.more ?? false,
    loading: isFetching || typed !== search.trim(),
    failed: isError,
  }
}

/** What is known of chosen ids: given with the row, else asked for. */
function useChosen(
  resource: string,
  ids: readonly (number | string)[],
  known: readonly Option[],
): Map<number | string, Option> {
  const missing = ids.filter((id) => !known.some((o) => o.id === id))
  const { data } = useCall(
    calls.lookup,
    { body: { name: resource, ids: missing, limit: Math.max(1, missing.length) } },
    { enabled: missing.length > 0, staleTime: 60_000 },
  )
  return useMemo(() => {
    const all = [...known, ...((data?.data ?? []) as Option[])]
    return new Map(all.map((o) => [o.id, o]))
  }, [known, data])
}

const OptionLine = ({ option }: { option: Option }) => {
  const lang = useLanguage()
  const other = otherNameOf(option, lang)
  return (
    <span className={css.option}>
      <span className={css.optionNames}>
        <bdi>{nameOf(option, lang)}</bdi>
        {other && (
          <small>
            <bdi>{other}</bdi>
          </small>
        )}
      </span>
      {option.code && <bdi className={css.optionCode}>{option.code}</bdi>}
    </span>
  )
}

interface BaseProps {
  readonly resource: string
  readonly label?: ReactNode
  readonly description?: ReactNode
  readonly error?: ReactNode
  readonly disabled?: boolean
  readonly placeholder?: string
  readonly name?: string
  readonly id?: string
  readonly autoFocus?: boolean
  readonly onBlur?: () => void
  readonly 'aria-label'?: string
  readonly 'aria-required'?: boolean
  /** Narrows what is offered, e.g. `{ faculty_id: 3 }`. */
  readonly filters?: Record<string, unknown>
}

/** The entry below the options that adds a missing record under the typed name. */
export interface Creating {
  readonly label: (typed: string) => string
  readonly onCreate: (typed: string) => void
}
/** Value of that option; no id. */
const CREATE = 'create'

function Options({
  options,
  more,
  recent,
  loading,
  failed,
  chosen,
  create,
}: {
  options: readonly Option[]
  /** There are others, which more letters find. */
  more: boolean
  recent: readonly Option[]
  loading: boolean
  failed: boolean
  chosen: ReadonlySet<number | string>
  create?: string | undefined
}) {
  const t = useT('kit-screens')
  const line = (o: Option) => (
    <Combobox.Option value={String(o.id)} key={o.id} active={chosen.has(o.id)} aria-selected={chosen.has(o.id)}>
      <OptionLine option={o} />
    </Combobox.Option>
  )
  const rest = options.filter((o) => !recent.some((r) => r.id === o.id))
  return (
    <Combobox.Options aria-label={t('lookup_search')} mah={320} style={{ overflowY: 'auto' }}>
      {recent.length > 0 && <Combobox.Group label={t('lookup_recent')}>{recent.map(line)}</Combobox.Group>}
      {recent.length > 0 && rest.length > 0 ? (
        <Combobox.Group label={t('lookup_all')}>{rest.map(line)}</Combobox.Group>
      ) : (
        rest.map(line)
      )}
      {!options.length && !recent.length && (
        <Combobox.Empty>{loading ? t('loading') : failed ? t('lookup_failed') : t('lookup_nothing')}</Combobox.Empty>
      )}
      {more && <Combobox.Footer className={css.others}>{t('search_for_others')}</Combobox.Footer>}
      {create !== undefined && (
        <Combobox.Option value={CREATE} className={css.create}>
          <IconPlus size={14} aria-hidden /> {create}
        </Combobox.Option>
      )}
    </Combobox.Options>
  )
}

/**
 * Chooses one record of a resource: search by name or code in both languages, those used last first, and a way to open
 * the chosen one. Uncontrolled; `onChange` also gets the option.
 */
export function LookupInput({
  resource,
  defaultValue,
  known,
  filters,
  onChange,
  clearable = true,
  create,
  ...input
}: BaseProps & {
  readonly create?: Creating | undefined
  readonly defaultValue: number | string | null
  /** Name of the chosen record, when the row brought it. */
  readonly known?: Ref | Option | null
  readonly onChange: (value: number | null, option: Option | null) => void
  readonly clearable?: boolean
}) {
  const t = useT('kit-screens')
  const lang = useLanguage()
  const me = useMaybeMe()
  const [value, setValue] = useState(defaultValue)
  const [picked, setPicked] = useState<Option | null>(known && known.id === defaultValue ? known : null)
  const [search, setSearch] = useState<string | null>(null)
  const box = useCombobox({
    onDropdownClose: () => {
      box.resetSelectedOption()
      setSearch(null)
    },
  })
  const open = box.dropdownOpened
  const { options, more, loading, failed } = useOptions(resource, search ?? '', filters, open && !input.disabled)
  const knownList = useMemo(() => (picked ? [picked] : []), [picked])
  const chosen = useChosen(resource, value === null ? [] : [value], knownList).get(value ?? '')
  const recent = useMemo(
    // With a filter the last used could belong elsewhere.
    () => (open && !search && !filters && me ? lastUsed(me.user.id, resource) : []),
    [open, search, filters, me, resource],
  )
  const narrowed = JSON.stringify(filters ?? null)
  const before = useRef(narrowed)
  useEffect(() => {
    // What it depends on was changed: the old choice belongs elsewhere.
    if (before.current === narrowed) return
    before.current = narrowed
    setValue(null)
    setPicked(null)
    onChange(null, null)
  }, [narrowed, onChange])
  const choose = (option: Option | null) => {
    setValue(option?.id ?? null)
    setPicked(option)
    onChange((option?.id as number | undefined) ?? null, option)
    if (option && me) noteUsed(me.user.id, resource, option)
  }
  const address = value === null ? null : addressOfRecord(resource, 'show', value)
  const shown = search ?? (chosen ? nameOf(chosen, lang) : value === null ? '' : String(value))
  useEffect(() => {
    if (open && options.length) box.selectFirstOption()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the store is stable; only new options matter
  }, [options, open])
  return (
    <Combobox
      store={box}
      onOptionSubmit={(id) => {
        if (id === CREATE) create?.onCreate((search ?? '').trim())
        else choose([...recent, ...options].find((o) => String(o.id) === id) ?? null)
        box.closeDropdown()
      }}
    >
      <Combobox.Target>
        <InputBase
          {...input}
          data-autofocus={input.autoFocus || undefined}
          value={shown}
          classNames={{ input: css.auto }}
          attributes={{ wrapper: { dir: 'auto' } }}
          placeholder={input.placeholder ?? t('lookup_search')}
          autoComplete="off"
          onFocus={(event) => event.currentTarget.select()}
          onClick={() => box.openDropdown()}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            box.openDropdown()
            if (event.currentTarget.value === '' && clearable) choose(null)
          }}
          onBlur={() => {
            box.closeDropdown()
            setSearch(null)
            input.onBlur?.()
          }}
          // On a phone each of them is wider than its sign.
          rightSectionWidth={value !== null && address && clearable && !input.disabled ? 68 : 36}
          rightSectionPointerEvents="all"
          rightSection={
            loading && open ? (
              <Loader size={14} />
            ) : value !== null ? (
              <Group gap={2} wrap="nowrap">
                {address && (
                  <Tooltip label={t('open_record')}>
                    <ActionIcon
                      component="a"
                      href={address}
                      target="_blank"
                      size="sm"
                      variant="subtle"
                      color="gray"
                      aria-label={t('open_record')}
                    >
                      <IconExternalLink size={14} />
                    </ActionIcon>
                  </Tooltip>
                )}
                {clearable && !input.disabled && (
                  <ActionIcon
                    size="sm"
                    variant="subtle"
                    color="gray"
                    aria-label={t('clear')}
                    onMouseDown={(e) => e.preventDefault()}
                    onClick={() => choose(null)}
                  >
                    <IconX size={14} />
                  </ActionIcon>
                )}
              </Group>
            ) : (
              <Combobox.Chevron />
            )
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={input.disabled}>
        <Options
          options={options}
          more={more}
          recent={recent}
          loading={loading}
          failed={failed}
          chosen={new Set(value === null ? [] : [value])}
          create={create?.label((search ?? '').trim())}
        />
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** Chooses several records of a resource. */
export function LookupsInput({
  resource,
  defaultValue,
  filters,
  onChange,
  ...input
}: BaseProps & {
  readonly defaultValue: readonly (number | Ref)[]
  readonly onChange: (value: number[]) => void
}) {
  const t = useT('kit-screens')
  const lang = useLanguage()
  const me = useMaybeMe()
  const [picked, setPicked] = useState<readonly Option[]>(() =>
    defaultValue.filter((v): v is Ref => typeof v === 'object'),
  )
  const [values, setValues] = useState<readonly (number | string)[]>(() =>
    defaultValue.map((v) => (typeof v === 'object' ? v.id : v)),
  )
  const [search, setSearch] = useState('')
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const { options, more, loading, failed } = useOptions(resource, search, filters, box.dropdownOpened)
  const chosen = useChosen(resource, values, picked)
  const recent = box.dropdownOpened && !search && !filters && me ? lastUsed(me.user.id, resource) : []
  const set = (next: readonly (number | string)[]) => {
    setValues(next)
    onChange(next as number[])
  }
  return (
    <Combobox
      store={box}
      onOptionSubmit={(id) => {
        const option = [...recent, ...options].find((o) => String(o.id) === id)
        if (!option) return
        setPicked([...picked, option])
        set(values.includes(option.id) ? values.filter((v) => v !== option.id) : [...values, option.id])
        setSearch('')
        if (me) noteUsed(me.user.id, resource, option)
      }}
    >
      <Combobox.DropdownTarget>
        <PillsInput
          label={input.label}
          description={input.description}
          error={input.error}
          disabled={input.disabled}
          id={input.id}
          onClick={() => box.openDropdown()}
          rightSection={loading && box.dropdownOpened ? <Loader size={14} /> : <Combobox.Chevron />}
        >
          <Pill.Group>
            {values.map((id) => (
              <Pill
                key={id}
                withRemoveButton={!input.disabled}
                onRemove={() => set(values.filter((v) => v !== id))}
                removeButtonProps={{
                  'aria-label': t('remove_choice', { name: nameOf(chosen.get(id), lang) }),
                  tabIndex: 0,
                  'aria-hidden': false,
                }}
              >
                <bdi>{nameOf(chosen.get(id), lang) || id}</bdi>
              </Pill>
            ))}
            <Combobox.EventsTarget>
              <PillsInput.Field
                classNames={{ field: css.bare }}
                autoFocus={input.autoFocus}
                data-autofocus={input.autoFocus || undefined}
                name={input.name}
                aria-label={input['aria-label']}
                value={search}
                placeholder={values.length ? undefined : t('lookup_search')}
                autoComplete="off"
                onFocus={() => box.openDropdown()}
                onBlur={() => {
                  box.closeDropdown()
                  input.onBlur?.()
                }}
                onChange={(event) => {
                  setSearch(event.currentTarget.value)
                  box.openDropdown()
                  box.updateSelectedOptionIndex()
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Backspace' && search === '' && values.length) {
                    event.preventDefault()
                    set(values.slice(0, -1))
                  }
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Options
          options={options}
          more={more}
          recent={recent}
          loading={loading}
          failed={failed}
          chosen={new Set(values)}
        />
      </Combobox.Dropdown>
    </Combobox>
  )
}
