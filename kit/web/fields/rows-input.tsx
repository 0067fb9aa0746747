import { useId, useRef, useState } from 'react'
import { ActionIcon, Button, Input, VisuallyHidden } from '@mantine/core'
import { IconGripVertical, IconPlus, IconTrash } from '@tabler/icons-react'
import type { Field, FieldKind } from '#kit/contract/field.ts'
import { useLabel, useT } from '../i18n/index.ts'
import type { FieldInput, FieldInputProps } from './inputs.tsx'
import { moved, useReorder } from './reorder.ts'
import css from './fields.module.css'

type Values = Readonly<Record<string, unknown>>
interface Line {
  readonly key: number
  readonly values: Values
}

/** Child rows: a line of inputs each, which can be added, removed and, where the field keeps their order, moved. */
export const rowsInput = (inputOf: (kind: FieldKind) => FieldInput): FieldInput =>
  function RowsInput(props: FieldInputProps) {
    const { field, label, description, error, disabled, defaultValue, onChange, onBlur } = props
    const t = useT('kit-screens')
    const say = useLabel()
    const own = useId()
    const id = props.id ?? own
    const last = useRef(0)
    const [lines, setLines] = useState<readonly Line[]>(() =>
      ((defaultValue as readonly Values[] | null) ?? []).map((values) => ({ key: ++last.current, values })),
    )
    const [announced, announce] = useState('')
    const children = Object.entries(field.rows?.fields ?? {})
    const ordered = field.rows?.position !== undefined
    const change = (next: readonly Line[]) => {
      setLines(next)
      onChange(next.map((line) => line.values))
    }
    // The named records that came with the row: its lookups know what is chosen.
    const answered = (props.row?.[props.name] as readonly Values[] | undefined) ?? []
    const reorder = useReorder(
      lines.length,
      (from, to) => change(moved(lines, from, to)),
      (to) => announce(t('line_moved', { place: to + 1, count: lines.length })),
    )
    const blank = (): Values =>
      Object.fromEntries(children.map(([name, child]) => [name, child.kind === 'flag' ? false : null]))
    const columns = children.map(([, child]) => widthOf(child)).join(' ')
    const template = `${ordered ? '28px ' : ''}${columns} 36px`
    return (
      <Input.Wrapper
        label={label}
        description={description}
        error={error}
        id={id}
        labelElement="div"
        inputWrapperOrder={['label', 'description', 'input', 'error']}
      >
        <fieldset className={css.lines} aria-labelledby={`${id}-label`}>
          {lines.length > 0 && (
            <div className={css.lineHead} style={{ gridTemplateColumns: template }} aria-hidden>
              {ordered && <span />}
              {children.map(([name, child]) => (
                <span key={name}>{say(child.label)}</span>
              ))}
            </div>
          )}
          <ol className={css.lineList}>
            {lines.map((line, i) => (
              <li
                key={line.key}
                className={css.line}
                style={{ gridTemplateColumns: template }}
                {...(ordered && reorder.place(i))}
              >
                {ordered && (
                  <ActionIcon
                    {...reorder.handle(i)}
                    variant="subtle"
                    color="gray"
                    size={28}
                    className={css.grip}
                    aria-label={t('line_move', { number: i + 1 })}
                    disabled={disabled}
                  >
                    <IconGripVertical size={16} aria-hidden />
                  </ActionIcon>
                )}
                {children.map(([name, child]) => {
                  const One = inputOf(child.kind)
                  return (
                    <One
                      key={name}
                      field={child}
                      name={name}
                      label={<span className={css.lineLabel}>{`${say(child.label)} ${i + 1}`}</span>}
                      required={child.required}
                      inLine
                      disabled={disabled}
                      defaultValue={line.values[name] ?? null}
                      row={answered.find((row) => row.id === line.values.id)}
                      parent={child.dependsOn ? line.values[child.dependsOn] : undefined}
                      onBlur={onBlur}
                      onChange={(value) =>
                        change(
                          lines.map((other) =>
                            other.key === line.key ? { ...other, values: { ...other.values, [name]: value } } : other,
                          ),
                        )
                      }
                    />
                  )
                })}
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={t('line_remove', { number: i + 1 })}
                  disabled={disabled}
                  onClick={() => change(lines.filter((other) => other.key !== line.key))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </ol>
          <div>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={disabled}
              onClick={() => change([...lines, { key: ++last.current, values: blank() }])}
            >
              {t('line_add')}
            </Button>
          </div>
          <VisuallyHidden aria-live="polite">{announced}</VisuallyHidden>
        </fieldset>
      </Input.Wrapper>
    )
  }

/** Room for an input of a kind within a line. */
const widthOf = ({ kind }: Field): string =>
  ({ integer: '96px', decimal: '104px', number: '104px', money: '120px', time: '96px', flag: '64px', code: '120px' })[
    kind as string
  ] ?? 'minmax(120px, 1fr)'
