let names: readonly string[] = []
/** Names of the resources that the palette searches, in order; the application says which. */
export const setSearchedResources = (given: readonly string[]): void => {
  names = given
}
export const searchedResources = (): readonly string[] => names
