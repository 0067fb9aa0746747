import type { ReactNode } from 'react'
import type { ChipColour } from '#kit/contract/schema.ts'
import css from './fields.module.css'

/** A word on a record, in a colour that somebody chose for it: the colour is a dot, so that the word is read in every skin. */
export const Chip = ({ colour, children }: { colour: ChipColour; children: ReactNode }) => (
  <span className={css.chip} data-colour={colour}>
    <bdi>{children}</bdi>
  </span>
)
