/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a choice by picture, with the roles of radio buttons */
import { Button, Drawer, SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { useT } from '../i18n/catalogue.ts'
import type { Keys } from '#locales/keys.ts'
import { DEFAULT_PREFERENCES, DENSITIES, LAYOUTS, SKINS, usePreferences } from '../theme/preferences.ts'
import type { Preferences } from '../theme/preferences.ts'
import css from './appearance.module.css'

function Row({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className={css.row}>
      <div className={css.label} id={id}>
        {label}
      </div>
      {children(id)}
    </div>
  )
}

/** How things look here; each choice works at once and is remembered in this browser. */
export default function Appearance({ close }: { close: () => void }) {
  const t = useT('kit')
  const [p, change] = usePreferences()
  const pick = <V extends string>(
    label: Keys['kit'],
    value: V,
    values: readonly (readonly [V, Keys['kit']])[],
    set: (value: V) => void,
  ) => (
    <Row label={t(label)}>
      {(id) => (
        <SegmentedControl
          fullWidth
          size="xs"
          aria-labelledby={id}
          value={value}
          onChange={(next) => set(next)}
          data={values.map(([v, key]) => ({ value: v, label: t(key) }))}
        />
      )}
    </Row>
  )
  const set =
    <K extends keyof Preferences>(name: K) =>
    (value: Preferences[K]) =>
      change({ [name]: value })
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={360}
      title={t('appearance')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Row label={t('skin')}>
        {(id) => (
          <div className={css.skins} role="radiogroup" aria-labelledby={id}>
            {SKINS.filter((s) => s !== 'semi-dark' || p.layout === 'vertical').map((skin) => (
              <button
                key={skin}
                type="button"
                role="radio"
                aria-checked={p.skin === skin}
                className={css.skin}
                onClick={() => change({ skin })}
              >
                <span className={css.preview} data-skin={skin} aria-hidden>
                  <i />
                  <b />
                </span>
                {t(`skin_${skin.replace('-', '_')}` as Keys['kit'])}
              </button>
            ))}
          </div>
        )}
      </Row>
      {pick(
        'density',
        p.density,
        DENSITIES.map((d) => [d, `density_${d}`] as const),
        set('density'),
      )}
      {pick(
        'layout',
        p.layout,
        LAYOUTS.map((x) => [x, `layout_${x}`] as const),
        set('layout'),
      )}
      {p.layout === 'vertical' &&
        pick(
          'menu_state',
          p.menuHidden ? 'hidden' : p.collapsed ? 'collapsed' : 'open',
          [
            ['collapsed', 'menu_collapsed'],
            ['open', 'menu_open'],
            ['hidden', 'menu_hidden'],
          ] as const,
          (state) => change({ menuHidden: state === 'hidden', collapsed: state !== 'open' }),
        )}
      {pick(
        'width',
        p.width,
        [
          ['full', 'width_full'],
          ['boxed', 'width_boxed'],
        ] as const,
        set('width'),
      )}
      {pick(
        'navbar',
        p.navbar,
        [
          ['sticky', 'navbar_sticky'],
          ['static', 'navbar_static'],
          ['hidden', 'navbar_hidden'],
        ] as const,
        set('navbar'),
      )}
      {pick(
        'navbar_colour',
        p.navbarColour,
        [
          ['plain', 'navbar_plain'],
          ['accent', 'navbar_accent'],
        ] as const,
        set('navbarColour'),
      )}
      {pick(
        'footer',
        p.footer,
        [
          ['static', 'footer_static'],
          ['hidden', 'footer_hidden'],
        ] as const,
        set('footer'),
      )}
      {pick(
        'transition',
        p.transition ? 'on' : 'off',
        [
          ['off', 'off'],
          ['on', 'on'],
        ] as const,
        (v) => change({ transition: v === 'on' }),
      )}
      <p className={css.note}>{t('remembered_here')}</p>
      <Button variant="default" size="xs" onClick={() => change(DEFAULT_PREFERENCES)}>
        {t('reset_appearance')}
      </Button>
    </Drawer>
  )
}
