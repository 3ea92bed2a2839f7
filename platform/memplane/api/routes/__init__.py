"""The routes, one table a file: validate, authorise, call one use-case, render."""
