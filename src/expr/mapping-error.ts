/** A transform that cannot be carried out with the values it was given. The message names the function, what it got and what it expected. */
export class MappingError extends Error {
  override name = "MappingError";
}
