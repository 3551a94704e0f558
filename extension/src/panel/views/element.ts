/** A new element with text; what pages and servers say goes in as text alone. */
export function make<K extends keyof HTMLElementTagNameMap>(name: K, text = '', className = ''): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  if (text !== '') element.textContent = text;
  if (className !== '') element.className = className;
  return element;
}
