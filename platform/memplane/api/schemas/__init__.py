"""Requests and answers in their HTTP form. Nothing outside ``api`` knows them."""
